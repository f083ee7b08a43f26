import { FIELDS, type GuessedKey } from './words.ts'

/** A form field's description of itself. */
export type Description = [
  /** Its type and what it says in `autocomplete`, normalized. */
  given: string,
  /** Its name, id, placeholder, aria-label and labels, each normalized and in a line of its own. */
  texts: string,
]

/**
 * Returns whether a field must never be read, whatever an owner's selector matches: secrets, cards, accounts and fields
 * the visitor cannot see.
 */
export const isPrivate = ([given, texts]: Description): boolean =>
  !/^(text|email|tel|num|sel)/.test(given) ||
  /passw|card|cc ?(n|cs|exp)|cv[cv]|iban|token|csrf|one time/.test(given + texts)

/** Normalizes a text, without accents: `billing[firstName]` and `first-name` both become `first name`. */
export const normalizeText = (text: string | null | undefined) =>
  (text || '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9\u00c0-\u1fff\u3040-\ud7ff\uff10-\uffdc]+/g, ' ')
    .trim()

/** Returns the attributes of an element, after other texts of it: each normalized, in a line of its own. */
export const toLines = (element: Element, names: string[], texts: (string | null)[] = []) =>
  texts
    .concat(names.map((name) => element.getAttribute(name)))
    .map(normalizeText)
    .join('\n')

/** Returns the beginning of an element's text, as labels are short. */
export const toText = (element: Element) => element.textContent!.slice(0, 80)

/** Returns what a button says. */
export const toLabel = (button: Element) => toLines(button, ['aria-label', 'value'], [toText(button)])

/** Returns whether a line has one of the words, which begin as a word does. */
export const hasWord = (lines: string, words: string) => new RegExp(`(^| )(${words})`, 'm').test(lines)

/** Returns what the lines name, if anything; one that names both parts of a name means the whole name. */
function named(lines: string): GuessedKey | undefined {
  const [first, second] = (Object.keys(FIELDS) as GuessedKey[]).filter((key) => FIELDS[key].test(lines))
  return first === 'firstName' && second ? 'fullName' : first
}

/** Returns how much a field looks like `key`: 2 by its type or autocomplete, 1 by its words, else 0. */
export function scoreField(key: GuessedKey, [given, texts]: Description): number {
  const known = named(given)
  return (known || named(texts)) === key ? (known ? 2 : 1) : 0
}

/** Returns the form of a value of a key: a name is no number of a card. */
const formOf = (key: GuessedKey) =>
  key === 'email' ? /^\S+@\S+$/ : key === 'phone' ? /^[+\s().\-/]*(\d[\s().\-/]*){7,15}$/ : /^\D*(\d\D*){0,11}$/

/** Returns a value as it may be sent; empty if it cannot be a `key`. */
export function acceptValue(key: GuessedKey, value: string): string {
  const text = value.trim()
  return text.length < 255 && formOf(key).test(text) ? text : ''
}
