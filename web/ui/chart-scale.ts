import { periodEnd } from '../ranges.ts'

/** Most ticks an axis shows. */
export const MOST_TICKS = { barX: 12, barY: 5, lineX: 12, lineY: 7 } as const

const STEPS = [1, 2, 2.5, 5, 7.5, 10]

/** A value this close to zero, as a share of the whole span, opens no step of its own: it would cost as much height as any. */
const NO_STEP = 0.03

/**
 * Round values from about the least to at or above the greatest, zero among them, at most `limit`; nothing but zeros
 * has one, zero. They're apart by whole multiples of `unit`, the least amount there is, or by whole numbers for `counts`.
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

/** Which of `count` points have a label, evenly, the first one always and at most `limit`. */
export function labelled(count: number, limit: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, limit)))
  return Array.from({ length: count }, (_, at) => at).filter((at) => at % every === 0)
}

/** More than any tick needs: ticks are round. */
const ALL_DIGITS = 12

/** '$1.25K': a tick of a currency axis, `value` in whole units, with every digit it has; steps below one show cents. */
export const compactMoney = (value: number, currency: string, step: number) =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    minimumFractionDigits: step < 1 ? 2 : 0,
    maximumFractionDigits: ALL_DIGITS,
  }).format(value)

type Period = 'day' | 'week' | 'month'

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
  return (date: string) => formatter.format(new Date(`${date}T00:00:00Z`))
}
const month = format({ month: 'short' })
const monthOfYear = format({ month: 'short', year: '2-digit' })
const day = format({ month: 'short', day: 'numeric' })
const wholeMonth = format({ month: 'short', year: 'numeric' })
const wholeDay = format({ month: 'short', day: 'numeric', year: 'numeric' })

/** A period under the axis: 'Oct', 'Nov 13'; a month with its year where the axis is longer than one, with its day where it is cut. */
export const periodTick = (date: string, period: Period, count: number) =>
  period !== 'month' || !date.endsWith('-01') ? day(date) : count > 12 ? monthOfYear(date) : month(date)

/** A period in full: 'Oct 2026', 'Nov 13, 2026'; a week by its first day in the range. */
export const periodName = (date: string, period: Period) => (period === 'month' ? wholeMonth(date) : wholeDay(date))

export type Span = {
  /** Its days inside the range. */
  date: string
  end: string
  /** The range has only some of its days. */
  cut: boolean
  /** More may come. */
  open: boolean
  /** It has not begun. */
  future: boolean
}

type Spans = { startDate: string; endDate: string; period: Period; deltas: readonly { date: string }[] }

/** What each period of a range is on `today`: whole or cut by the range, over, not over or still to come. */
export function spansOf({ startDate, endDate, period, deltas }: Spans, today: string): Span[] {
  return deltas.map(({ date }) => {
    const whole = periodEnd(date, period)
    const end = whole < endDate ? whole : endDate
    const open = date <= today && end >= today
    // what the range ends with today is not cut: it has all the days there are
    const cutAfter = end < whole && end !== today
    const cutBefore = date === startDate && !beginsPeriod(date, period)
    return { date, end, cut: cutBefore || cutAfter, open, future: date > today }
  })
}

const beginsPeriod = (date: string, period: Period) =>
  period === 'day' || (period === 'month' ? date.endsWith('-01') : weekday(date) === 1)
const weekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()
