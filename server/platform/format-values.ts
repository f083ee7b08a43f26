// Numbers, counts, dates and names in the server's sentences, in the same form everywhere.

import { formatNumber } from '#contract/format.ts'
import { inEachLanguage, isEnglish } from '#contract/language.ts'

const plurals = inEachLanguage((tag) => new Intl.PluralRules(tag))
const days = inEachLanguage((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }))
const shortDays = inEachLanguage(
  (tag) => new Intl.DateTimeFormat(tag, { month: 'short', day: 'numeric', timeZone: 'UTC' }),
)

const months = inEachLanguage(
  (tag) => new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
)
const monthNames = inEachLanguage((tag) => new Intl.DateTimeFormat(tag, { month: 'long', timeZone: 'UTC' }))

const rates = inEachLanguage((tag) => new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 4 }))
const regions = inEachLanguage((tag) => new Intl.DisplayNames(tag, { type: 'region' }))

const spans = inEachLanguage(
  (tag, unit) => new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long', useGrouping: 'always' }),
)

const instants = inEachLanguage(
  (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }),
)

/** Formats a count of two or more at the start of a sentence: 'Two', '10'. */
export const countFirst = (count: number) =>
  ['Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'][count - 2] ?? formatNumber(count)

/** Formats '1 sale', '30 sales'. */
export const countInWords = (count: number, one: string, many = `${one}s`) =>
  `${formatNumber(count)} ${plurals().select(count) === 'one' ? one : many}`

/** Formats '1 second', '30 seconds'. */
export const secondsInWords = (seconds: number) => spans('second').format(seconds)

/** Formats '1 minute', '30 minutes', of seconds that are rounded up. */
export const minutesInWords = (seconds: number) => spans('minute').format(Math.ceil(seconds / 60))

/** Formats 'Nov 20, 2026 at 10:00:00 AM UTC'. */
export const instantInWords = (instant: Date) => instants().format(instant)

/** Formats 'Nov 20, 2026', from '2026-11-20'. */
export const dayInWords = (day: string) => days().format(new Date(`${day}T00:00:00Z`))

/** Formats '7.5%': up to four decimals. */
export const rateInWords = (percent: number) => rates().format(percent / 100)

/** Formats 'France', from 'FR'; a code without a country stays as it is. */
export const countryInWords = (code: string) => regions().of(code) ?? code

/** Formats 'October 2026', from '2026-10'. */
export const monthInWords = (month: string) => months().format(new Date(`${month}-01T00:00:00Z`))

/** Formats 'October', from '2026-10'. */
export const monthAlone = (month: string) => monthNames().format(new Date(`${month}-01T00:00:00Z`))

/** Formats 'Sep 25 – Nov 5, 2026', 'Nov 9–15, 2026', 'Nov 9, 2026'; with both years if they differ. */
export function daysInWords(from: string, to: string) {
  if (from === to) return dayInWords(from)
  if (!isEnglish()) return days().formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`))
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
