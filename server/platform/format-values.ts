// Numbers, counts, dates and names in the server's sentences, in the same form everywhere.

import { lazyValue } from './lazy-value.ts'

const numbers = lazyValue(() => new Intl.NumberFormat('en-US'))
const plurals = lazyValue(() => new Intl.PluralRules('en-US'))
const days = lazyValue(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }))
const shortDays = lazyValue(() => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }))

const months = lazyValue(() => new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }))
const monthNames = lazyValue(() => new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }))

const regions = lazyValue(() => new Intl.DisplayNames('en-US', { type: 'region' }))

const instants = lazyValue(
  () => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }),
)

/** Formats '10,000'. */
export const numberInWords = (number: number) => numbers().format(number)

/** Formats a count of two or more at the start of a sentence: 'Two', '10'. */
export const countFirst = (count: number) =>
  ['Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'][count - 2] ?? numberInWords(count)

/** Formats '1 second', '30 seconds'. */
export const countInWords = (count: number, one: string, many = `${one}s`) =>
  `${numberInWords(count)} ${plurals().select(count) === 'one' ? one : many}`

/** Formats 'Nov 20, 2026 at 10:00:00 AM UTC'. */
export const instantInWords = (instant: Date) => instants().format(instant)

/** Formats 'Nov 20, 2026', from '2026-11-20'. */
export const dayInWords = (day: string) => days().format(new Date(`${day}T00:00:00Z`))

/** Formats 'France', from 'FR'; a code without a country stays as it is. */
export const countryInWords = (code: string) => regions().of(code) ?? code

/** Formats 'October 2026', from '2026-10'. */
export const monthInWords = (month: string) => months().format(new Date(`${month}-01T00:00:00Z`))

/** Formats 'October', from '2026-10'. */
export const monthAlone = (month: string) => monthNames().format(new Date(`${month}-01T00:00:00Z`))

/** Formats 'Sep 25 – Nov 5, 2026', 'Nov 9–15, 2026', 'Nov 9, 2026'; with both years if they differ. */
export function daysInWords(from: string, to: string) {
  if (from === to) return dayInWords(from)
  if (from.slice(0, 4) !== to.slice(0, 4)) return `${dayInWords(from)} – ${dayInWords(to)}`
  const first = shortDays().format(new Date(`${from}T00:00:00Z`))
  return from.slice(0, 7) === to.slice(0, 7)
    ? `${first}–${Number(to.slice(8))}, ${to.slice(0, 4)}`
    : `${first} – ${dayInWords(to)}`
}

/** Makes a single line: names from people must not begin a new header or paragraph, or reverse the surrounding text. */
export const oneLine = (text: string) =>
  text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
