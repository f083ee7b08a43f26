import type { FieldKey } from './configuration.ts'

/** A form field's description of itself. */
export type Description = [
  /** Its type and what it says in `autocomplete`, normalized. */
  given: string,
  /** Its name, id, placeholder, aria-label and labels, each normalized and in a line of its own. */
  texts: string,
]

/** A field for the whole name is read if there are none for its parts. */
export type GuessedKey = FieldKey | 'fullName'

// in the order they are tried; English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish
// and Norwegian, and what `autocomplete` calls them
const words: Record<GuessedKey, RegExp> = {
  email: /e ?mail|correo|courriel/,
  phone: /phone|(^| )tel( |$)|telef|mobil|handy|celular|movil/m,
  fullName: /full ?name|^((your|ihr|billing|shipping) )?(name|naam|na[mv]n)$|und nachname|(nombre|nome?) comp/m,
  firstName: /(first|given|fore|^f) ?name|vorname|prenom|(^| )(nombre|nome)( |$)|voornaam|imie|forna[mv]n/m,
  lastName:
    /(last|family|sur|^l) ?name|nachname|(^| )nom( |$)|apell?ido|(cog|sobre)nome|achternaam|nazwisko|terna[mv]n/m,
}

/**
 * Returns whether a field must never be read, whatever an owner's selector matches: secrets, cards, accounts and fields
 * the visitor cannot see.
 */
export const isPrivate = ([given, texts]: Description): boolean =>
  !/^(text|email|tel|num|sel)/.test(given) ||
  /passw|card|cc ?(n|csc|exp)|cv[cv]|iban|token|csrf|one time c/.test(given + texts)

/** Normalizes a text, without accents: `billing[firstName]` and `first-name` both become `first name`. */
export const plain = (text: string | null | undefined) =>
  (text || '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[\s_\-.,:;*&[\]()/?=#!'’"]+/g, ' ')
    .trim()

/** Returns the attributes of an element, after other texts of it: each normalized, in a line of its own. */
export const toLines = (element: Element, names: string[], texts: (string | null)[] = []) =>
  texts
    .concat(names.map((name) => element.getAttribute(name)))
    .map(plain)
    .join('\n')

/** Returns the beginning of an element's text, as labels are short. */
export const toText = (element: Element) => element.textContent!.slice(0, 80)

/** Returns whether a line has one of the words, which begin as a word does. */
export const hasWord = (lines: string, words: string) => new RegExp(`(^| )(${words})`, 'm').test(lines)

/** Returns what the lines name, if anything; one that names both parts of a name means the whole name. */
function named(lines: string): GuessedKey | undefined {
  const [first, second] = (Object.keys(words) as GuessedKey[]).filter((key) => words[key].test(lines))
  return first === 'firstName' && second ? 'fullName' : first
}

/** Returns how much a field looks like `key`: 2 by its type or autocomplete, 1 by its words, else 0. */
export function likeness(key: GuessedKey, [given, texts]: Description): number {
  const known = named(given)
  return (known || named(texts)) === key ? (known ? 2 : 1) : 0
}

/** Returns the form of a value of a key: a name is no number of a card. */
const formOf = (key: GuessedKey) =>
  key === 'email' ? /^\S+@\S+$/ : key === 'phone' ? /^[+\s().\-/]*(\d[\s().\-/]*){7,15}$/ : /^\D*(\d\D*){0,11}$/

/** Returns a value as it may be sent; empty if it cannot be a `key`. */
export function acceptable(key: GuessedKey, value: string): string {
  const text = value.trim()
  return text.length < 255 && formOf(key).test(text) ? text : ''
}
