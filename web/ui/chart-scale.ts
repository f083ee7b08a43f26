import { formatTag } from '#contract/language.ts'
import { periodEnd } from './date-ranges.ts'

/** Maximum ticks of an axis. */
export const MOST_TICKS = { barX: 12, barY: 5, lineX: 12, lineY: 7 } as const

const STEPS = [1, 2, 2.5, 5, 7.5, 10]

/** Share of the whole span below which a value opens no step of its own: it would need as much height as any other. */
const NO_STEP = 0.03

/**
 * Returns round values from about the least to at least the greatest, including zero, at most `limit`; only zero if all
 * are zero. Their distance is a multiple of `unit`, the smallest amount, or a whole number for `counts`.
 */
export function ticksFor(values: readonly number[], limit: number, { counts = false, unit = 1 } = {}): number[] {
  const top = Math.max(0, ...values)
  const least = Math.min(0, ...values)
  const bottom = -least < NO_STEP * (top - least) ? 0 : least
  const span = top - bottom
  if (span === 0) return [0]
  for (let scale = 10 ** Math.floor(Math.log10(span / limit)); ; scale *= 10) {
    for (const step of STEPS.map((of) => of * scale)) {
      if (!Number.isInteger(rounded(step / unit)) || (!counts && step === 7.5 * scale)) continue
      const first = Math.floor(bottom / step + 1e-9)
      const last = Math.ceil(top / step - 1e-9)
      if (last - first + 1 > limit) continue
      return Array.from({ length: last - first + 1 }, (_, at) => rounded((first + at) * step))
    }
  }
}

const rounded = (value: number) => Number(value.toPrecision(12))

/** Returns which of `count` points have a label: evenly spaced, always the first one, at most `limit`. */
export function chooseLabels(count: number, limit: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, limit)))
  return Array.from({ length: count }, (_, at) => at).filter((at) => at % every === 0)
}

/** More digits than any tick needs: ticks are round. */
const ALL_DIGITS = 12

/**
 * Formats a tick of a currency axis, '$1.25K': `value` in whole units, with all its digits; steps below one show cents.
 */
export const compactMoney = (value: number, currency: string, step: number) =>
  new Intl.NumberFormat(formatTag(), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    useGrouping: 'always',
    minimumFractionDigits: step < 1 ? 2 : 0,
    maximumFractionDigits: ALL_DIGITS,
  }).format(value)

type Period = 'day' | 'week' | 'month'

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat(formatTag(), { ...options, timeZone: 'UTC' })
  return (date: string) => formatter.format(new Date(`${date}T00:00:00Z`))
}
const month = format({ month: 'short' })
const monthOfYear = format({ month: 'short', year: '2-digit' })
const day = format({ month: 'short', day: 'numeric' })
const wholeMonth = format({ month: 'short', year: 'numeric' })
const wholeDay = format({ month: 'short', day: 'numeric', year: 'numeric' })

/**
 * Formats a period under the axis: 'Oct', 'Nov 13'; a month with its year if the axis is longer than one, with its day
 * if it is cut.
 */
export const periodTick = (date: string, period: Period, count: number) =>
  period !== 'month' || !date.endsWith('-01') ? day(date) : count > 12 ? monthOfYear(date) : month(date)

/** Formats a period in full: 'Oct 2026', 'Nov 13, 2026'; a week by its first day in the range. */
export const periodName = (date: string, period: Period) => (period === 'month' ? wholeMonth(date) : wholeDay(date))

export type Span = {
  /** Its first day inside the range; `end` is the last one. */
  date: string
  end: string
  /** Only some of its days are in the range. */
  cut: boolean
  /** It is under way: its values may change. */
  open: boolean
  /** It has not begun. */
  future: boolean
}

type Spans = { startDate: string; endDate: string; period: Period; deltas: readonly { date: string }[] }

/** Returns each period of a range as of `today`: whole or cut by the range, over, not over or still to come. */
export function toSpans({ startDate, endDate, period, deltas }: Spans, today: string): Span[] {
  return deltas.map(({ date }) => {
    const whole = periodEnd(date, period)
    const end = whole < endDate ? whole : endDate
    const open = date <= today && end >= today
    // a period whose range ends today is not cut: it has all the days there are
    const cutAfter = end < whole && end !== today
    const cutBefore = date === startDate && !beginsPeriod(date, period)
    return { date, end, cut: cutBefore || cutAfter, open, future: date > today }
  })
}

const beginsPeriod = (date: string, period: Period) =>
  period === 'day' || (period === 'month' ? date.endsWith('-01') : weekday(date) === 1)
const weekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()
