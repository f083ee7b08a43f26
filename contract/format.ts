import { currentLanguage, inEachLanguage } from './language.ts'

const numbers = inEachLanguage((tag) => new Intl.NumberFormat(tag, { useGrouping: 'always' }))
const rules = inEachLanguage((tag) => new Intl.PluralRules(tag))

const lists = inEachLanguage((tag) => new Intl.ListFormat(tag))

/** A value put into words. */
export type Word = string | number

/** A note of what a function of words does with its values, made while it is called with their names instead. */
type Noted = { formatted: Set<string>; counted: Set<string>; form: 'zero' | 'one' | 'other' }
let noted: Noted | null = null

/** Calls a function of words with the names of its values, `{{name}}`, to learn its text and what it formats or counts. */
export function noteWords(form: Noted['form'], say: () => string) {
  noted = { formatted: new Set(), counted: new Set(), form }
  try {
    return { text: say(), ...noted }
  } finally {
    noted = null
  }
}

/** Formats '1,234'. */
export function formatNumber(value: number) {
  if (noted && typeof value === 'string') noted.formatted.add(value)
  return typeof value === 'string' ? value : numbers().format(value)
}

/** Formats 'partners, leads, and sales'. */
export const formatList = (items: readonly string[]) => lists().format(items)

/** Returns the words for one, for any other number, and if given for zero. */
export function formatPlural(count: number, one: string, other: string, zero = other) {
  if (noted && typeof count === 'string') {
    noted.counted.add(count)
    return { zero, one, other }[noted.form]
  }
  return count === 0 ? zero : rules().select(count) === 'one' ? one : other
}

/** Returns the plural category of a count in this language: 'one', 'few', 'other'. */
export const pluralCategory = (count: number) => rules().select(count)

/** Returns a label within a sentence, where it begins with a small letter; German keeps its nouns. */
export const labelInSentence = (label: string) =>
  /^de\b/.test(currentLanguage()) ? label : label.charAt(0).toLowerCase() + label.slice(1)

/** Returns a sentence without its full stop, to go on within another one. */
export const toClause = (sentence: Word) => String(sentence).replace(/\.$/, '')

/** Joins clauses by semicolons, before which French has a space that doesn't break. */
export const joinClauses = (clauses: readonly string[]) =>
  clauses.join(/^fr\b/.test(currentLanguage()) ? '\u00a0; ' : '; ')

/** Returns a text with Italian articles elided before 8, 80 and 11, as they are read: 'dell’8 dicembre'. */
export const elideBeforeNumbers = (text: string) =>
  /^it\b/.test(currentLanguage())
    ? text.replace(/\b(?:([Dd][ae]|[Aa]|[Nn]e|[Ss]u)|i)l (?=8|11\b)/g, (_, of?: string) => (of ? `${of}ll’` : 'l’'))
    : text
