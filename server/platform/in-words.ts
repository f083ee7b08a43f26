// Numbers, counts and days inside the sentences that the server writes: they read alike everywhere.

const numbers = new Intl.NumberFormat('en-US')
const plurals = new Intl.PluralRules('en-US')
const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** '10,000'. */
export const numberInWords = (number: number) => numbers.format(number)

/** '1 second', '30 seconds'. */
export const countInWords = (count: number, one: string, many = `${one}s`) =>
  `${numberInWords(count)} ${plurals.select(count) === 'one' ? one : many}`

/** 'Nov 20, 2026', of '2026-11-20'. */
export const dayInWords = (day: string) => days.format(new Date(`${day}T00:00:00Z`))
