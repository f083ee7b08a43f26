import { dayIn } from '#contract/days.ts'
import { formatTag, inEachLanguage, isEnglish } from '#contract/language.ts'
import { minorDigits, moneyInWords } from '#contract/money.ts'

const rates = inEachLanguage((tag) => new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 4 }))
const exchangeRates = inEachLanguage((tag) => new Intl.NumberFormat(tag, { maximumSignificantDigits: 17 }))
const workedOutRates = inEachLanguage((tag) => new Intl.NumberFormat(tag, { maximumSignificantDigits: 6 }))
const dates = inEachLanguage((tag, timeZone) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone }))
const shortDays = inEachLanguage(
  (tag, timeZone) => new Intl.DateTimeFormat(tag, { month: 'short', day: 'numeric', timeZone }),
)
const monthNames = inEachLanguage((tag, timeZone) => new Intl.DateTimeFormat(tag, { month: 'long', timeZone }))
const longDays = inEachLanguage(
  (tag, timeZone) => new Intl.DateTimeFormat(tag, { month: 'long', day: 'numeric', timeZone }),
)
const moments = inEachLanguage(
  (tag, timeZone) =>
    new Intl.DateTimeFormat(tag, {
      timeZone,
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }),
)
const seconds = inEachLanguage(
  (tag, timeZone) => new Intl.DateTimeFormat(tag, { timeZone, hour: 'numeric', minute: '2-digit', second: '2-digit' }),
)
const changes = inEachLanguage(
  (tag) =>
    new Intl.NumberFormat(tag, {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
      useGrouping: 'always',
    }),
)
const times = inEachLanguage((tag, timeZone) => new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone }))
const longTimes = inEachLanguage(
  (tag, timeZone) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone }),
)
const shortTimes = inEachLanguage(
  (tag, timeZone) =>
    new Intl.DateTimeFormat(tag, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZone }),
)
const mediumTimes = inEachLanguage(
  (tag, timeZone) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
)
const monthsOfYears = inEachLanguage(
  (tag, timeZone) => new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone }),
)
const longDates = inEachLanguage((tag, timeZone) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone }))
const countries = inEachLanguage((tag) => new Intl.DisplayNames(tag, { type: 'region' }))
const names = inEachLanguage((tag) => new Intl.Collator(tag))
const ordinals = inEachLanguage((tag) => new Intl.PluralRules(tag, { type: 'ordinal' }))

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
export function formatShortMoney(amount: number, currency: string) {
  const digits = minorDigits(currency)
  const shown = formatMoney(amount, currency)
  return digits ? shown.replace(new RegExp(`[.,]0{${digits}}(?=\\D*$)`), '') : shown
}

/** Formats the sum of some rows; nothing if there are none. */
export function formatSum(rows: readonly { amount: number; currency: string }[]) {
  const [first] = rows
  const sum = rows.reduce((all, { amount }) => all + amount, 0)
  return first ? formatMoney(sum, first.currency) : ''
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Formats a size as '640 bytes' or '12.4 MB', in steps of a thousand, as browsers show downloads. */
export function formatBytes(bytes: number) {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return new Intl.NumberFormat(formatTag(), {
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
  const format = new Intl.NumberFormat(formatTag(), { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.floor(seconds / length))
}

/** Formats '7.5%': up to four decimals, zeros trimmed. */
export const formatRate = (rate: number) => rates().format(rate / 100)

/** Formats a rate as '1.2468': entered ones in full, ones derived from two published rates to six digits. */
export const formatExchangeRate = (rate: number, isWorkedOut: boolean) =>
  (isWorkedOut ? workedOutRates() : exchangeRates()).format(rate)

/** Formats a share: '5.3%' from 0.053, '33%' from 0.333. */
export const formatPart = (part: number) =>
  new Intl.NumberFormat(formatTag(), { style: 'percent', maximumFractionDigits: part < 0.1 ? 1 : 0 }).format(part)

/**
 * Formats '+12.4%' against the period before, 'new' from zero, null when both are zero. A value below zero has no
 * percentage: from -$100.00 to nothing would be a rise of 100%.
 */
export function formatChange(now: number, before: number, words: { fromZero: string; fromBelow: string | null }) {
  if (before === 0) return now === 0 ? null : words.fromZero
  if (before < 0) return words.fromBelow
  return changes().format((now - before) / before)
}

/** Formats 'Jan 1, 2024' from '2024-01-01', in any time zone. */
export const formatDate = (date: string) => dates().format(instantOf(date))

const instantOf = (date: string) => new Date(`${date}T00:00:00Z`)

/** Formats 'May 21 – Nov 20, 2026', 'Oct 1–20, 2026' or 'Oct 1, 2026'; both years if they differ. */
export function formatDateRange(from: string, to: string): string {
  if (!isEnglish()) return dates().formatRange(instantOf(from), instantOf(to))
  if (from.slice(0, 4) === to.slice(0, 4)) return formatShortRange(from, to)
  return `${formatDate(from)} – ${formatDate(to)}`
}

/** Formats 'October' in this year, 'October 2025' in another, from '2026-10'. */
export function formatMonth(month: string, today: string) {
  const isThisYear = month.slice(0, 4) === today.slice(0, 4)
  return (isThisYear ? monthNames() : monthsOfYears()).format(instantOf(`${month}-01`))
}

/** Formats 'November 24'; with the year unless it is this one. */
export function formatMonthAndDay(date: string, today: string) {
  const isThisYear = date.slice(0, 4) === today.slice(0, 4)
  return (isThisYear ? longDays() : longDates()).format(instantOf(date))
}

/** Formats 'Oct 1–20' or 'Aug 21 – Nov 20'; with its year if it is not this one, with both years if they differ. */
export function formatShortRange(from: string, to: string, today?: string) {
  const year = to.slice(0, 4)
  if (from.slice(0, 4) !== year) return formatDateRange(from, to)
  if (!isEnglish())
    return (year === today?.slice(0, 4) ? shortDays() : dates()).formatRange(instantOf(from), instantOf(to))
  const [first, last] = [from, to].map((date) => shortDays().format(instantOf(date))) as [string, string]
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
  if (!isEnglish()) return longTimes(timeZone).format(new Date(at))
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
  return isInYearOf(now, at, timeZone) ? shortDays(timeZone).format(new Date(at)) : formatDateAt(at, timeZone)
}

const isInYearOf = (now: Date, at: string, timeZone: string) =>
  toYear(dayIn(timeZone, new Date(at))) === toYear(dayIn(timeZone, now))

/** Formats '3:00 pm' in the account's time zone. */
export const formatTime = (at: string, timeZone: string) =>
  isEnglish() ? (formatLongDateTime(at, timeZone).split(' at ')[1] as string) : times(timeZone).format(new Date(at))

/** Countries as choices, in the order of their names. */
export const countryChoices = (codes: readonly string[]) =>
  codes.map((value) => ({ value, label: formatCountry(value) })).sort((a, b) => names().compare(a.label, b.label))

/** Formats 'France' from 'FR'. */
export const formatCountry = (code: string) => countries().of(code) ?? code

/** Formats a time zone as 'America/New York'. */
export const formatZone = (timeZone: string) => timeZone.replaceAll('_', ' ')

/** Formats 'Jan 1, 3:00 pm' in this year, 'Jan 1, 2024, 3:00 pm' in another, in the account's time zone. */
export function formatShortDateTime(at: string, timeZone: string) {
  if (isEnglish()) return `${formatShortDate(at, timeZone)}, ${formatTime(at, timeZone)}`
  return (isInYearOf(new Date(), at, timeZone) ? shortTimes : mediumTimes)(timeZone).format(new Date(at))
}

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
  const format = new Intl.RelativeTimeFormat(formatTag(), { numeric: 'auto' })
  if (seconds < 60) return format.format(0, 'second')
  const always = new Intl.RelativeTimeFormat(formatTag(), { numeric: 'always' })
  const step = agoSteps.find(([, length, most]) => seconds < length * most)
  return step ? always.format(-Math.floor(seconds / step[1]), step[0]) : formatDateAt(at, timeZone)
}

/** Formats how long ago an instant is: '4 minutes', '26 hours' or '12 days', in the steps of `formatAgo`. */
export function formatAge(at: string, now = new Date()) {
  const seconds = Math.max(60, (now.getTime() - Date.parse(at)) / 1000)
  const [unit, length] = agoSteps.find(([, length, most]) => seconds < length * most) ?? (['day', 86_400] as const)
  const format = new Intl.NumberFormat(formatTag(), { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.floor(seconds / length))
}

/** Formats '3:00:05 pm' in the account's time zone, for logs. */
export const formatTimeWithSeconds = (at: string, timeZone: string) =>
  seconds(timeZone)
    .format(new Date(at))
    .replace(/\u202f/g, ' ')
    .toLowerCase()
