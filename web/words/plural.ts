/** A value put into words. */
export type Word = string | number

const numbers = new Intl.NumberFormat('en-US')
const rules = new Intl.PluralRules('en-US')

export const formatNumber = (value: number) => numbers.format(value)

/** Returns the words for one, for any other number, and if given for zero. */
export const formatPlural = (count: number, one: string, other: string, zero = other) =>
  count === 0 ? zero : rules.select(count) === 'one' ? one : other

/** Returns a sentence without its full stop, to go on within another one. */
export const toClause = (sentence: Word) => String(sentence).replace(/\.$/, '')
