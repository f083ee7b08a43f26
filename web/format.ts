import { dayIn } from '#contract/days.ts'
import { moneyInWords } from '#contract/money.ts'

const LOCALE = 'en-US'

/** Creates a format on first use, per time zone: creating one takes a hundred times as long as using it. */
function once<Format>(make: (timeZone: string) => Format) {
  const made = new Map<string, Format>()
  return (timeZone = 'UTC') => {
    const format = made.get(timeZone) ?? make(timeZone)
    made.set(timeZone, format)
    return format
  }
}

const counts = once(() => new Intl.NumberFormat(LOCALE))
const rates = once(() => new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 4 }))
const exchangeRates = once(() => new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 17 }))
const workedOutRates = once(() => new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 6 }))
const dates = once((timeZone) => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone }))
const shortDays = once((timeZone) => new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone }))
const monthNames = once((timeZone) => new Intl.DateTimeFormat(LOCALE, { month: 'long', timeZone }))
const longDays = once((timeZone) => new Intl.DateTimeFormat(LOCALE, { month: 'long', day: 'numeric', timeZone }))
const moments = once(
  (timeZone) =>
    new Intl.DateTimeFormat(LOCALE, {
      timeZone,
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }),
)
const seconds = once(
  (timeZone) => new Intl.DateTimeFormat(LOCALE, { timeZone, hour: 'numeric', minute: '2-digit', second: '2-digit' }),
)
const countries = once(() => new Intl.DisplayNames(LOCALE, { type: 'region' }))
const names = once(() => new Intl.Collator(LOCALE))
const ordinals = once(() => new Intl.PluralRules(LOCALE, { type: 'ordinal' }))

/**
 * Formats an amount: '$1,234.50' from 123450 minor units of usd; '¥1,234'; '-$12.00'. A currency other than `own`, the
 * account's, adds its code: '€12.00 EUR'.
 */
export function formatMoney(amount: number, currency: string, own = currency) {
  const shown = moneyInWords(amount, currency)
  const code = currency.toUpperCase()
  // A currency without a sign is already written with its code.
  return code === own.toUpperCase() || shown.includes(code) ? shown : `${shown} ${code}`
}

/** Formats an amount without zero decimals: '$5,000', '$5,000.50'. */
export const formatShortMoney = (amount: number, currency: string) => formatMoney(amount, currency).replace(/\.0+$/, '')

/** Formats the sum of some rows; nothing if there are none. */
export function formatSum(rows: readonly { amount: number; currency: string }[]) {
  const [first] = rows
  const sum = rows.reduce((all, { amount }) => all + amount, 0)
  return first ? formatMoney(sum, first.currency) : ''
}

/** Formats '1,234'. */
export const formatCount = (count: number) => counts().format(count)

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Formats a size as '640 bytes' or '12.4 MB', in steps of a thousand, as browsers show downloads. */
export function formatBytes(bytes: number) {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return new Intl.NumberFormat(LOCALE, {
    style: 'unit',
    unit: UNITS[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(bytes / 1000 ** step)
}

const DURATIONS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Formats a duration as '42 seconds', '12 minutes' or '3 days': whole steps of the largest unit. */
export function formatDuration(seconds: number) {
  const [unit, length] = DURATIONS.find(([, least]) => seconds >= least) ?? ['second', 1]
  const format = new Intl.NumberFormat(LOCALE, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.floor(seconds / length))
}

/** Formats '7.5%': up to four decimals, zeros trimmed. */
export const formatRate = (rate: number) => `${rates().format(rate)}%`

/** Formats a rate as '1.2468': entered ones in full, ones derived from two published rates to six digits. */
export const formatExchangeRate = (rate: number, isWorkedOut: boolean) =>
  (isWorkedOut ? workedOutRates() : exchangeRates()).format(rate)

/** Formats a share: '5.3%' from 0.053, '33%' from 0.333. */
export const formatPart = (part: number) =>
  new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: part < 0.1 ? 1 : 0 }).format(part)

/**
 * Formats '+12.4%' against the period before, 'new' from zero, null when both are zero. A value below zero has no
 * percentage: from -$100.00 to nothing would be a rise of 100%.
 */
export function formatChange(now: number, before: number, words: { fromZero: string; fromBelow: string | null }) {
  if (before === 0) return now === 0 ? null : words.fromZero
  if (before < 0) return words.fromBelow
  const percent = ((now - before) / before) * 100
  return `${new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(percent)}%`
}

/** Formats 'Jan 1, 2024' from '2024-01-01', in any time zone. */
export const formatDate = (date: string) => dates().format(new Date(`${date}T00:00:00Z`))

/** Formats 'May 21 – Nov 20, 2026', 'Oct 1–20, 2026' or 'Oct 1, 2026'; both years if they differ. */
export function formatDateRange(from: string, to: string): string {
  if (from.slice(0, 4) === to.slice(0, 4)) return formatShortRange(from, to)
  return `${formatDate(from)} – ${formatDate(to)}`
}

/** Formats 'October' in this year, 'October 2025' in another, from '2026-10'. */
export function formatMonth(month: string, today: string) {
  const name = monthNames().format(new Date(`${month}-01T00:00:00Z`))
  return month.slice(0, 4) === today.slice(0, 4) ? name : `${name} ${month.slice(0, 4)}`
}

/** Formats 'November 24'; with the year unless it is this one. */
export function formatMonthAndDay(date: string, today: string) {
  const day = longDays().format(new Date(`${date}T00:00:00Z`))
  return date.slice(0, 4) === today.slice(0, 4) ? day : `${day}, ${date.slice(0, 4)}`
}

/** Formats 'Oct 1–20' or 'Aug 21 – Nov 20'; with its year if it is not this one, with both years if they differ. */
export function formatShortRange(from: string, to: string, today?: string) {
  const year = to.slice(0, 4)
  if (from.slice(0, 4) !== year) return formatDateRange(from, to)
  const [first, last] = [from, to].map((date) => shortDays().format(new Date(`${date}T00:00:00Z`))) as [string, string]
  const isOneMonth = from.slice(0, 7) === to.slice(0, 7)
  const days = from === to ? first : isOneMonth ? `${first}–${Number(to.slice(8))}` : `${first} – ${last}`
  return year === today?.slice(0, 4) ? days : `${days}, ${year}`
}

/** Returns the year of a day YYYY-MM-DD. */
export const toYear = (day: string) => Number(day.slice(0, 4))

/** Returns today as YYYY-MM-DD in the account's time zone. */
export const todayIn = (timeZone: string, now = new Date()) => dayIn(timeZone, now)

/**
 * The time zone of this device. Reads that start before the account is loaded use its days, which match the account's
 * except for some hours; then they are repeated with the right ones.
 */
export const timeZoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Formats 'Jan 1, 2024': an instant's day in the account's time zone. */
export const formatDateAt = (at: string, timeZone: string) => dates(timeZone).format(new Date(at))

/** Formats 'January 1st, 2024 at 3:00 pm' in the account's time zone. */
export function formatLongDateTime(at: string, timeZone: string) {
  const part = Object.fromEntries(
    moments(timeZone)
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  )
  const { month, day, year, hour, minute, dayPeriod } = part as Record<string, string>
  return `${month} ${ordinal(Number(day))}, ${year} at ${hour}:${minute} ${dayPeriod?.toLowerCase()}`
}

/** Formats 'Jan 1' in this year, 'Jan 1, 2024' in another, in the account's time zone. */
export function formatShortDate(at: string, timeZone: string, now = new Date()) {
  const isThisYear = toYear(dayIn(timeZone, new Date(at))) === toYear(dayIn(timeZone, now))
  return isThisYear ? shortDays(timeZone).format(new Date(at)) : formatDateAt(at, timeZone)
}

/** Formats '3:00 pm' in the account's time zone. */
export const formatTime = (at: string, timeZone: string) => formatLongDateTime(at, timeZone).split(' at ')[1] as string

/** Countries as choices, in the order of their names. */
export const countryChoices = (codes: readonly string[]) =>
  codes.map((value) => ({ value, label: formatCountry(value) })).sort((a, b) => names().compare(a.label, b.label))

/** Formats 'France' from 'FR'. */
export const formatCountry = (code: string) => countries().of(code) ?? code

/** Formats a time zone as 'America/New York'. */
export const formatZone = (timeZone: string) => timeZone.replaceAll('_', ' ')

/** Formats 'Jan 1, 3:00 pm' in this year, 'Jan 1, 2024, 3:00 pm' in another, in the account's time zone. */
export const formatShortDateTime = (at: string, timeZone: string) =>
  `${formatShortDate(at, timeZone)}, ${formatTime(at, timeZone)}`

function ordinal(day: number) {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', many: 'th', zero: 'th' }
  return `${day}${ending[ordinals().select(day)]}`
}

/** Returns the window of `months` months that ends on `today`: 6 before 2026-11-20 is 2026-05-21 to 2026-11-20. */
export function lastMonths(months: number, today: string) {
  const [year, month, day] = today.split('-').map(Number) as [number, number, number]
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  const start = new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastDay) + 1))
  return { from: start.toISOString().slice(0, 10), to: today }
}

const agoSteps = [
  ['minute', 60, 90],
  ['hour', 3600, 48],
  ['day', 86_400, 14],
] as const

/** Formats 'now', '4 minutes ago' or '26 hours ago'; the day itself if it is more than two weeks ago. */
export function formatAgo(at: string, timeZone: string, now = new Date()) {
  const seconds = Math.max(0, (now.getTime() - Date.parse(at)) / 1000)
  const format = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })
  if (seconds < 60) return format.format(0, 'second')
  const always = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'always' })
  const step = agoSteps.find(([, length, most]) => seconds < length * most)
  return step ? always.format(-Math.floor(seconds / step[1]), step[0]) : formatDateAt(at, timeZone)
}

/** Formats how long ago an instant is: '4 minutes', '26 hours' or '12 days', in the steps of `formatAgo`. */
export function formatAge(at: string, now = new Date()) {
  const seconds = Math.max(60, (now.getTime() - Date.parse(at)) / 1000)
  const [unit, length] = agoSteps.find(([, length, most]) => seconds < length * most) ?? (['day', 86_400] as const)
  const format = new Intl.NumberFormat(LOCALE, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.floor(seconds / length))
}

/** Formats '3:00:05 pm' in the account's time zone, for logs. */
export const formatTimeWithSeconds = (at: string, timeZone: string) =>
  seconds(timeZone)
    .format(new Date(at))
    .replace(/\u202f/g, ' ')
    .toLowerCase()
