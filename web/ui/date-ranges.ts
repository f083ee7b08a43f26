import { addDays } from '#contract/days.ts'
import { type NamedRange, namedRanges } from '#contract/values.ts'
import { lastMonths } from '../format.ts'

/** Both days are included, YYYY-MM-DD. */
export type DateRange = { from: string; to: string }

/** The ten choices of the date range, in order, as written in the address. */
export const rangeChoices = [...namedRanges, 'custom'] as const
export type RangeChoice = (typeof rangeChoices)[number]
/** `today` is the day of the choice: a period not over by then is compared as far as it has progressed. */
export type ChosenRange = DateRange & { choice: RangeChoice; today: string }

export const DEFAULT_RANGE: NamedRange = 'last-6-months'

/**
 * Returns the days of a choice as of `today`: with a number it is a window that ends today; 'Last month', 'Last
 * quarter' and 'Last year' are the whole calendar period before this one.
 */
export function toRange(choice: NamedRange, today: string): DateRange {
  const [year, month] = today.split('-').map(Number) as [number, number]
  const quarter = month - ((month - 1) % 3)
  switch (choice) {
    case 'last-7-days':
      return { from: addDays(today, -6), to: today }
    case 'last-month':
      return { from: firstOfMonth(year, month - 1), to: addDays(firstOfMonth(year, month), -1) }
    case 'last-3-months':
      return lastMonths(3, today)
    case 'last-quarter':
      return { from: firstOfMonth(year, quarter - 3), to: addDays(firstOfMonth(year, quarter), -1) }
    case 'last-6-months':
      return lastMonths(6, today)
    case 'last-year':
      return { from: firstOfMonth(year - 1, 1), to: addDays(firstOfMonth(year, 1), -1) }
    case 'month-to-date':
      return { from: firstOfMonth(year, month), to: today }
    case 'quarter-to-date':
      return { from: firstOfMonth(year, quarter), to: today }
    case 'year-to-date':
      return { from: firstOfMonth(year, 1), to: today }
  }
}

/** Maximum days of a range of statistics, and the first and last day they support. */
const MOST_DAYS = 3650
const [FIRST, LAST] = ['1900-01-01', '2999-12-31']
/** Returns whether statistics support a range and the one before it, which it is compared with. */
const isAnswered = (range: DateRange, today: string) =>
  daysIn(range) <= MOST_DAYS && comparedWith({ ...range, choice: 'custom', today }).from >= FIRST && range.to <= LAST

/** Returns the choice in the address's `range`, or its `from` and `to`; the default if they are invalid. */
export function rangeIn(params: Record<string, unknown>, today: string): ChosenRange {
  const { from, to, range } = params
  if (isDate(from) && isDate(to)) {
    const ordered = inOrder(from, to)
    if (isAnswered(ordered, today)) return { ...ordered, choice: 'custom', today }
  }
  const known = namedRanges.find((choice) => choice === range) ?? DEFAULT_RANGE
  return { ...toRange(known, today), choice: known, today }
}

/** Returns a choice's parameters for the address, which drops undefined ones. */
export const toParams = (choice: NamedRange | DateRange) =>
  typeof choice === 'string'
    ? { range: choice === DEFAULT_RANGE ? undefined : choice, from: undefined, to: undefined }
    : { range: undefined, ...choice }

/** Returns the search parameters that open another screen with the same range. */
export function sameRange({ choice, from, to }: { choice: RangeChoice } & DateRange) {
  if (choice === 'custom') return { from, to }
  return choice === DEFAULT_RANGE ? {} : { range: choice }
}

/** Months in the period of a choice that began before today and is not over. */
const toDate: Partial<Record<RangeChoice, number>> = { 'month-to-date': 1, 'quarter-to-date': 3, 'year-to-date': 12 }

/**
 * Returns the days a range is compared with: for a 'to date' choice the same days of the month, quarter or year before;
 * for a whole calendar month, quarter or year the one before; for any other range as many days just before. A range not
 * over by today is compared with the same part.
 */
export function comparedWith({ choice, from, to, today }: ChosenRange): DateRange {
  const begun = toDate[choice]
  if (begun) return { from: addMonths(from, -begun), to: addMonths(to, -begun) }
  const reached = from <= today && today <= to ? today : null
  const whole = wholeMonths({ from, to })
  if (whole) return { from: addMonths(from, -whole), to: reached ? addMonths(reached, -whole) : addDays(from, -1) }
  const days = daysIn({ from, to })
  return { from: addDays(from, -days), to: addDays(reached ?? to, -days) }
}

/** Returns 1, 3 or 12 if the range is exactly a calendar month, quarter or year; else 0. */
function wholeMonths({ from, to }: DateRange) {
  const month = Number(from.slice(5, 7))
  const lengths = [1, 3, 12].filter((months) => (month - 1) % months === 0)
  const isWhole = (months: number) => addDays(addMonths(from, months), -1) === to
  return from.endsWith('-01') ? (lengths.find(isWhole) ?? 0) : 0
}

/** Swaps the two days if the second is earlier. */
export const inOrder = (one: string, other: string): DateRange =>
  one <= other ? { from: one, to: other } : { from: other, to: one }

export const daysIn = ({ from, to }: DateRange) => Math.round((utc(to) - utc(from)) / 86_400_000) + 1

/** Returns the period of statistics for a range: days up to 31, weeks up to 92, then months. */
export function choosePeriod(range: DateRange) {
  const days = daysIn(range)
  return days <= 31 ? ('day' as const) : days <= 92 ? ('week' as const) : ('month' as const)
}

/** Returns the last day of the period that begins with `start` inside a range. */
export function periodEnd(start: string, period: ReturnType<typeof choosePeriod>) {
  if (period === 'day') return start
  if (period === 'month') return addDays(addMonths(startOfMonth(start), 1), -1)
  return addDays(start, 6 - ((new Date(utc(start)).getUTCDay() + 6) % 7))
}

/** Returns the same day some months later; the month's last if it has no such day. */
export function addMonths(date: string, months: number) {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return isoOf(Date.UTC(year, month - 1 + months, Math.min(day, last)))
}

/** Returns the first day of a month; months before January and after December belong to other years. */
export const firstOfMonth = (year: number, month: number) => isoOf(Date.UTC(year, month - 1, 1))
export const startOfMonth = (date: string) => `${date.slice(0, 7)}-01`

/** Returns the weeks of the month that begins on `first`, from Sunday; null for days outside it. */
export function listWeeks(first: string): (string | null)[][] {
  const before = new Date(utc(first)).getUTCDay()
  const count = daysIn({ from: first, to: addDays(addMonths(first, 1), -1) })
  const cells = [
    ...Array.from({ length: before }, () => null),
    ...Array.from({ length: count }, (_, at) => addDays(first, at)),
  ]
  const weeks = Math.ceil(cells.length / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => cells[week * 7 + day] ?? null),
  )
}

const utc = (date: string) => Date.parse(`${date}T00:00:00Z`)
const isoOf = (at: number) => new Date(at).toISOString().slice(0, 10)

const isDate = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(utc(value)) &&
  isoOf(utc(value)) === value
