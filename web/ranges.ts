import { lastMonths } from './format.ts'

/** Both days belong to it, YYYY-MM-DD. */
export type DateRange = { from: string; to: string }

/** The ten choices of the date range, in order, as they stand in the address. */
export const rangeChoices = [
  'last-7-days',
  'last-month',
  'last-3-months',
  'last-quarter',
  'last-6-months',
  'last-year',
  'month-to-date',
  'quarter-to-date',
  'year-to-date',
  'custom',
] as const
export type RangeChoice = (typeof rangeChoices)[number]
/** `today` is the day it was chosen on: what is not over by then is compared as far as it has come. */
export type ChosenRange = DateRange & { choice: RangeChoice; today: string }

const DEFAULT: RangeChoice = 'last-6-months'

/**
 * The days of a choice as they are on `today`: with a number it is a window that ends today; 'Last month', 'Last quarter'
 * and 'Last year' are the whole calendar period before this one.
 */
export function rangeOf(choice: Exclude<RangeChoice, 'custom'>, today: string): DateRange {
  const [year, month] = today.split('-').map(Number) as [number, number]
  const quarter = month - ((month - 1) % 3)
  switch (choice) {
    case 'last-7-days':
      return { from: addDays(today, -6), to: today }
    case 'last-month':
      return { from: firstOf(year, month - 1), to: addDays(firstOf(year, month), -1) }
    case 'last-3-months':
      return lastMonths(3, today)
    case 'last-quarter':
      return { from: firstOf(year, quarter - 3), to: addDays(firstOf(year, quarter), -1) }
    case 'last-6-months':
      return lastMonths(6, today)
    case 'last-year':
      return { from: firstOf(year - 1, 1), to: addDays(firstOf(year, 1), -1) }
    case 'month-to-date':
      return { from: firstOf(year, month), to: today }
    case 'quarter-to-date':
      return { from: firstOf(year, quarter), to: today }
    case 'year-to-date':
      return { from: firstOf(year, 1), to: today }
  }
}

/** The longest range the statistics answer, and the first and last day they know. */
const MOST_DAYS = 3650
const [FIRST, LAST] = ['1900-01-01', '2999-12-31']
/** With the one before it, which it is compared with. */
const isAnswered = (range: DateRange, today: string) =>
  daysIn(range) <= MOST_DAYS && comparedWith({ ...range, choice: 'custom', today }).from >= FIRST && range.to <= LAST

/** What the address's `range`, or its `from` and `to`, choose; the default for anything that makes no sense. */
export function rangeIn(params: Record<string, unknown>, today: string): ChosenRange {
  const { from, to, range } = params
  if (isDate(from) && isDate(to)) {
    const ordered = inOrder(from, to)
    if (isAnswered(ordered, today)) return { ...ordered, choice: 'custom', today }
  }
  const known = rangeChoices.find((choice) => choice === range && choice !== 'custom') ?? DEFAULT
  return { ...rangeOf(known as Exclude<RangeChoice, 'custom'>, today), choice: known, today }
}

/** What the address says for a choice; undefined parts are dropped from it. */
export const paramsOf = (choice: Exclude<RangeChoice, 'custom'> | DateRange) =>
  typeof choice === 'string'
    ? { range: choice === DEFAULT ? undefined : choice, from: undefined, to: undefined }
    : { range: undefined, ...choice }

/** The search parameters that open another screen in the same range. */
export function sameRange({ choice, from, to }: { choice: RangeChoice } & DateRange) {
  if (choice === 'custom') return { from, to }
  return choice === DEFAULT ? {} : { range: choice }
}

/** How many months the period of a choice has that began before today and is not over. */
const toDate: Partial<Record<RangeChoice, number>> = { 'month-to-date': 1, 'quarter-to-date': 3, 'year-to-date': 12 }

/**
 * The days that a range is compared with: of one 'to date' the same days of the month, quarter or year before; of a whole
 * calendar month, quarter or year the one before; of any other range as many days just before. Of what is not over by
 * today it is the same part.
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

/** 1, 3 or 12 where the range is exactly a calendar month, quarter or year; else 0. */
function wholeMonths({ from, to }: DateRange) {
  const month = Number(from.slice(5, 7))
  const lengths = [1, 3, 12].filter((months) => (month - 1) % months === 0)
  const isWhole = (months: number) => addDays(addMonths(from, months), -1) === to
  return from.endsWith('-01') ? (lengths.find(isWhole) ?? 0) : 0
}

/** An earlier second day swaps with the first. */
export const inOrder = (one: string, other: string): DateRange =>
  one <= other ? { from: one, to: other } : { from: other, to: one }

export const daysIn = ({ from, to }: DateRange) => Math.round((utc(to) - utc(from)) / 86_400_000) + 1

/** How statistics part a range: days up to 31, weeks up to 92, then months. */
export function periodOf(range: DateRange) {
  const days = daysIn(range)
  return days <= 31 ? ('day' as const) : days <= 92 ? ('week' as const) : ('month' as const)
}

/** The last day of the period that begins with `start` inside a range. */
export function periodEnd(start: string, period: ReturnType<typeof periodOf>) {
  if (period === 'day') return start
  if (period === 'month') return addDays(addMonths(monthOf(start), 1), -1)
  return addDays(start, 6 - ((new Date(utc(start)).getUTCDay() + 6) % 7))
}

export const addDays = (date: string, days: number) => isoOf(utc(date) + days * 86_400_000)

/** The same day some months on; the month's last where it has no such day. */
export function addMonths(date: string, months: number) {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return isoOf(Date.UTC(year, month - 1 + months, Math.min(day, last)))
}

/** The first day of a month; months before January and after December belong to other years. */
export const firstOf = (year: number, month: number) => isoOf(Date.UTC(year, month - 1, 1))
export const monthOf = (date: string) => `${date.slice(0, 7)}-01`

/** The weeks of the month that begins on `first`, from Sunday; null outside it. */
export function weeksOf(first: string): (string | null)[][] {
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
