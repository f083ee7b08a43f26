import { FIELDS, FIRST_NAME, FULL_NAME, LAST_NAME } from './words.ts'

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

/**
 * The letters and digits of all scripts in a class of a regular expression made by `RegExp`, as the syntax of 2015 has no
 * names of classes.
 */
export const LETTER = '\\p{L}\\p{Nd}'

/** Normalizes a text, without accents: `billing[firstName]` and `first-name` both become `first name`. */
export const normalizeText = (text: string | null | undefined) =>
  (text || '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(new RegExp(`[^${LETTER}]+`, 'gu'), ' ')
    .trim()

/** Returns the attributes of an element, after other texts of it: each normalized, in a line of its own. */
export const toLines = (element: Element, names: string, texts: (string | null)[] = []) =>
  texts
    .concat(names.split(' ').map((name) => element.getAttribute(name)))
    .map(normalizeText)
    .join('\n')

/** Returns the beginning of an element's text, as labels are short. */
export const toText = (element: Element) => element.textContent!.slice(0, 80)

/** Returns what a button says. */
export const toLabel = (button: Element) => toLines(button, 'aria-label value', [toText(button)])

/** Returns whether a line has one of the words, which begin as a word does. */
export const hasWord = (lines: string, words: string) => new RegExp(`(^| )(${words})`, 'm').test(lines)

/** Returns what the lines name, else -1; what names both parts of a name means the whole name. */
function named(lines: string): number {
  const first = FIELDS.findIndex((field) => field.test(lines))
  return first === FIRST_NAME && FIELDS[LAST_NAME]!.test(lines) ? FULL_NAME : first
}

/** Returns how much a field looks like `key`: 2 by its type or autocomplete, 1 by its words, else 0. */
export function scoreField(key: number, [given, texts]: Description): number {
  const known = named(given)
  return known < 0 ? (named(texts) === key ? 1 : 0) : known === key ? 2 : 0
}

/** Returns whether a value can be a `key`: an email, a phone, or a name, which is no number of a card. */
export const isValueFor = (key: number, value: string) =>
  value.length < 255 && ([/^\S+@\S+$/, /^[+\s()./-]*(\d[\s()./-]*){7,15}$/][key] || /^\D*(\d\D*){0,11}$/).test(value)
