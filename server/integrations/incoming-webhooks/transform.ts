import type { transforms } from '#contract/incoming-webhooks.ts'
import { currencyCodes, fromDecimal, minorDigits } from '#contract/money.ts'
import { dayIn } from '../../platform/time/days.ts'
import { currenciesNamed, readAmount } from './read-amount.ts'

export type Transform = (typeof transforms)[number]

/** Why a value cannot be read this way, for the person who maps it. */
export class Unreadable extends Error {}

/** The values of fields, as read by a mapping; `problems` has the unreadable ones, by field. */
export type MappedValues = { values: Record<string, string | number>; problems: Record<string, string> }

/**
 * Reads the fields of a mapping, without empty ones. `toText` returns a field's text; amounts are in the currency of the
 * mapped field if it has one, else in `currency`.
 */
export function readFields<F extends { field: string }>(
  mapping: readonly F[],
  currency: string,
  textOf: (field: F) => string | null,
  read: (text: string, field: F, currency: string) => string | number,
): MappedValues {
  const values: MappedValues['values'] = {}
  const problems: MappedValues['problems'] = {}
  const named = mapping.find(({ field }) => field === 'currency')
  const used = (named && textOf(named)?.trim().toLowerCase()) || currency
  for (const one of mapping) {
    const text = textOf(one)
    if (text === null || text === '') continue
    try {
      values[one.field] = read(text, one, used)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      problems[one.field] = error.message
    }
  }
  return { values, problems }
}

/**
 * Transforms text for a field; into a number if the transform does so. `currency` decides the digits of `cents`,
 * `timeZone` the date of an instant.
 */
export function transformText(text: string, transform: Transform, currency: string, timeZone = 'UTC'): string | number {
  switch (transform) {
    case 'trim':
      return text.trim()
    case 'lowercase':
      return text.trim().toLowerCase()
    case 'number':
      return wholeNumber(text)
    case 'cents':
      return minorUnits(text, currency)
    case 'date':
      return dateOf(text, timeZone)
    case 'day-first-date':
      return dayFirst(text, timeZone)
    default:
      return text
  }
}

function wholeNumber(text: string) {
  const decimal = readAmount(text, 0)
  if (decimal === null || !/^-?\d+$/.test(decimal)) throw new Unreadable(`"${shown(text)}" is not a whole number.`)
  return Number(decimal) + 0
}

/** Fewest decimals that only a computed amount has: three may also be thousands. */
const COMPUTED = 4

/**
 * Parses `1,234.50` as 123450 in a currency with two digits. More digits are refused, except that of a computed amount,
 * such as 18.99525, which is rounded.
 */
function minorUnits(text: string, currency: string) {
  const digits = minorDigits(currency)
  const amount = readAmount(text, digits)
  if (amount === null)
    throw new Unreadable(
      MAYBE_THOUSANDS.test(text.slice(0, 60))
        ? `"${shown(text)}" can be read two ways. Write 1234 without a sign between thousands, and decimals as 1234.5.`
        : `"${shown(text)}" is not an amount.`,
    )
  const other = otherCurrency(text, currency)
  if (other)
    throw new Unreadable(
      `"${shown(text)}" is in ${other}, and read as ${currency.toUpperCase()}. Map a field or column that says the currency.`,
    )
  const [whole, fraction = ''] = amount.split('.')
  const isComputed = digits > 0 && fraction.length >= COMPUTED
  if (Number(fraction.slice(digits)) > 0 && !isComputed)
    throw new Unreadable(`"${shown(text)}" has more decimals than ${currency.toUpperCase()}.`)
  // `+ 0` turns -0 into 0
  return fromDecimal(amount, currency) ?? Number(whole + fraction.slice(0, digits).padEnd(digits, '0')) + 0
}

/** Returns a differing currency named by the amount's code, name or sign. A dollar sign may be mere formatting. */
function otherCurrency(amount: string, currency: string): string | null {
  const code = /\p{L}{3}/u.exec(amount)?.[0].toLowerCase()
  if (code && code !== currency && currencyCodes.includes(code)) return code.toUpperCase()
  // an unknown currency is refused in its own field
  if (!currencyCodes.includes(currency)) return null
  const named = currenciesNamed(amount)
  if (named && !named.currencies.includes(currency)) return named.mark
  const sign = /(?!\$)\p{Sc}/u.exec(amount)?.[0]
  if (!sign) return null
  const own = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(0)
  return own.includes(sign) ? null : sign
}

/** One separator before the last three digits: perhaps thousands. */
const MAYBE_THOUSANDS = /^[^\d]{0,10}\d{1,3}[.,]\d{3}[^\d]{0,10}$/

/**
 * Returns the date of an ISO date, also without signs, of `03/09/2026` and `3/9/26` (month first), of `09.03.2026` (day
 * first, as everywhere dates have dots), of `9-Mar-26`, or of a spreadsheet's day number, as written with any time there;
 * of an instant in UTC, or in seconds or milliseconds, in the time zone.
 */
function dateOf(text: string, timeZone: string) {
  const given = text.length > LONGEST_DATE ? '' : text.trim()
  const instant = instantOf(given)
  if (!Number.isNaN(instant)) return dayIn(timeZone, new Date(instant))
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ].*)?$/.exec(given)
  const american = /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4}|\d\d)\b/.exec(given)
  const dotted = /^(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4}|\d\d)\b/.exec(given)
  const compact = /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/.exec(given)
  const { year, month, day: ofMonth } = (american ?? dotted ?? compact ?? withMonthName(given))?.groups ?? {}
  const day = iso ? iso[1]! : year ? isoDay(year, month!, ofMonth!) : (dayNumbered(given) ?? dayWritten(given))
  if (!day || !isDay(day)) throw new Unreadable(`"${shown(text)}" is not a date.`)
  return day
}

/** Reads `31/01/2026`, with any sign between its numbers, and other dates like `date`. */
function dayFirst(text: string, timeZone: string) {
  const [, day, month, year] = /^(\d{1,2})[./ -](\d{1,2})[./ -](\d{4}|\d\d)\b/.exec(text.trim()) ?? []
  return dateOf(day && month && year ? isoDay(year, month, day) : text, timeZone)
}

/** Two numbers that may be a month and a day in either order, and the year; between hyphens, two digits may be a year first. */
const EITHER_ORDER = /^(\d{1,2})(?:\/(?=\d{1,2}\/(?:\d{4}|\d\d)\b)|([ -])(?=\d{1,2}\2\d{4}\b))(\d{1,2})/

/** Returns the month and the day of a date of numbers, in the order in which they are written; nothing for any other text. */
export function dayAndMonth(text: string): number[] {
  const [, first, , second] = EITHER_ORDER.exec(text.trim()) ?? []
  return first && second ? [Number(first), Number(second)] : []
}

/** Whether a date may be read month first or day first, as two different days. */
export function fitsBothOrders(text: string): boolean {
  const [first, second] = dayAndMonth(text)
  return first !== second && first! <= 12 && second! <= 12
}

/** Joins the parts of a day; a year of two digits is one of this century. */
function isoDay(year: string, month: string, day: string) {
  const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1 || month
  return `${year.padStart(4, '20')}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
}
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const withMonthName = (text: string) =>
  /^(?<day>\d{1,2})[- ](?<month>[a-z]{3})[a-z]*\.?[- ](?<year>\d{4}|\d\d)(?= |$)/i.exec(text)

/** Returns the day with this number in spreadsheets, between 1954 and 2119; null for any other text. */
function dayNumbered(text: string) {
  const number = /^[2-7]\d{4}(?:\.\d+)?$/.test(text) ? Math.floor(Number(text)) : null
  return number === null ? null : dayOf(Date.UTC(1899, 11, 30 + number))
}

const ISO_IN_UTC = /^(\d{4}-\d\d-\d\d)[T ].*(?:Z|[+-]00:?00)$/
const HAS_TIME = /\d:\d/
const ENDS_IN_UTC = /(?:GMT|UTC)$/

/** Returns the time of an instant in UTC, or in seconds or milliseconds; NaN for anything else. */
function instantOf(text: string) {
  if (/^\d{10}(?:\d{3})?$/.test(text)) return Number(text.padEnd(13, '0'))
  const [, day] = ISO_IN_UTC.exec(text) ?? []
  if (day) return isDay(day) ? Date.parse(text) : Number.NaN
  return HAS_TIME.test(text) && ENDS_IN_UTC.test(text) && MONTH.test(text) ? momentOf(text) : Number.NaN
}

const isDay = (text: string) => dayOf(Date.parse(text)) === text

/** Most characters; `Sun, 09 Mar 2026 10:00:00 GMT+0100 (Central European Standard Time)` has 69. */
const LONGEST_DATE = 100
const MONTH = new RegExp(`\\b(?:${MONTHS.join('|')})`, 'i')
const NUMBERS_ALONE = /^[\d\s:./+-]+(?:am|pm|z|utc|gmt)?$/i

/** Parses a time, in UTC if the text names no zone, whatever the server's own is. A year requires a month and a day. */
const momentOf = (text: string) => {
  if (/^[-+]/.test(text) || !/\d{4}/.test(text) || !(MONTH.test(text) || NUMBERS_ALONE.test(text))) return Number.NaN
  const numbers = text.match(/\d+/g)?.length ?? 0
  if (numbers + (MONTH.test(text) ? 1 : 0) < 3) return Number.NaN
  const at = Date.parse(`${text} UTC`)
  return Number.isNaN(at) ? Date.parse(text) : at
}
const TIME_OF_DAY = /\d{1,2}:\d\d(?::\d\d)?/g
/** Returns the day of a date in another form; null for a day that its month lacks, which would be read as one of the next. */
function dayWritten(text: string) {
  const day = dayOf(momentOf(text))
  const numbers = text.replace(TIME_OF_DAY, ' ').match(/\d+/g)?.map(Number) ?? []
  const [, month, ofMonth] = day?.split('-').map(Number) ?? []
  return numbers.includes(ofMonth!) && (MONTH.test(text) || numbers.includes(month!)) ? day : null
}
const dayOf = (at: number) => (Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10))
const shown = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
