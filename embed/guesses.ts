import type { FieldKey } from './configuration.ts'

/** A form field's description of itself. */
export type Description = {
  type: string
  /** Its tokens, in lower case. */
  autocomplete: string
  /** Its name, id, placeholder, aria-label and label. */
  texts: readonly string[]
}

/** A field for the whole name is read if there are none for its parts. */
export type GuessedKey = FieldKey | 'fullName'

const tokens: Record<GuessedKey, string> = {
  email: 'email',
  phone: 'tel',
  firstName: 'given-name',
  lastName: 'family-name',
  fullName: 'name',
}

// in the order they are tried; English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish
// and Norwegian
const words: Record<GuessedKey, RegExp> = {
  email: /e ?mail|correo|courriel/,
  phone: /phone|(^| )tel( |$)|tel[eé]f|mobil|handy|celular|m[oó]vil/,
  fullName: /full ?name|^((your|ihr) )?(name|naam|na[mv]n)$|und nachname|(nombre|nome?) comp/,
  firstName: /(first|given|fore|^f) ?name|vorname|pr[eé]nom|(^| )(nombre|nome)( |$)|voornaam|imi[eę]|f[oö]rna[mv]n/,
  lastName:
    /(last|family|sur|^l) ?name|nachname|(^| )nom( |$)|apell?ido|(cog|sobre)nome|achternaam|nazwisko|terna[mv]n/,
}

/**
 * Returns whether a field must never be read, whatever an owner's selector matches: secrets, cards, accounts and fields
 * the visitor cannot see.
 */
export function isPrivate({ type, autocomplete, texts }: Description): boolean {
  return (
    !/^(text|email|tel|num|sel)/.test(type) ||
    /cc-|passw|one-time/.test(autocomplete) ||
    texts.some((text) => /passw|card|cc ?(n|csc|exp)|cv[cv]|iban|token|csrf/.test(plain(text)))
  )
}

/** Normalizes a text: `billing[firstName]` and `first-name` both become `first name`. */
export const plain = (text: string) =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[\s_\-.,:;*&[\]()/?=#!'’"]+/g, ' ')
    .trim()
    .toLowerCase()

/** Returns how much a field looks like `key`: 2 by its type or autocomplete, 1 by its words, else 0. */
export function likeness(key: GuessedKey, { type, autocomplete, texts }: Description): number {
  const given = autocomplete.replace(/tel-\w+/, 'tel').split(' ')
  const named = (other: GuessedKey) => given.indexOf(tokens[other]) >= 0
  if (type === tokens[key] || named(key)) return 2
  const keys = Object.keys(words) as GuessedKey[]
  const said = keys.filter((other) => texts.some((text) => words[other].test(plain(text))))
  // a text naming both parts of a name means the whole name
  const kind = said[0] === 'firstName' && said[1] ? 'fullName' : said[0]
  return kind === key && !keys.some(named) ? 1 : 0
}

/** Returns a value as it may be sent; empty if it cannot be a `key`. */
export function acceptable(key: GuessedKey, value: string): string {
  const text = value.trim()
  const digits = text.replace(/\D/g, '').length
  if (key === 'email') return text.length <= 254 && /^\S+@\S+$/.test(text) ? text : ''
  if (key === 'phone') return digits > 6 && digits < 16 && /^\+?[\d\s().\-/]+$/.test(text) ? text.slice(0, 40) : ''
  return digits > 11 ? '' : text
}
