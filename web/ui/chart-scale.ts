/** Most ticks an axis shows. */
export const MOST_TICKS = { barX: 12, barY: 5, lineX: 12, lineY: 7 } as const

const STEPS = [1, 2, 2.5, 5, 7.5, 10]

/**
 * Round values from at or below the least to at or above the greatest, zero among them, at most `limit`. `whole` keeps
 * counts whole; without any values the axis ends at `otherwise`.
 */
export function ticksFor(values: readonly number[], limit: number, { whole = false, otherwise = 4 } = {}): number[] {
  const top = Math.max(0, ...values)
  const bottom = Math.min(0, ...values)
  const span = top - bottom
  if (span === 0) return ticksFor([otherwise], limit, { whole })
  for (let scale = 10 ** Math.floor(Math.log10(span / limit)); ; scale *= 10) {
    for (const step of STEPS.map((of) => of * scale)) {
      if (whole ? !Number.isInteger(step) : step === 7.5 * scale) continue
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

/** A period under the axis: 'Oct', 'Nov 13'; with its year where the axis is longer than one. */
export const periodTick = (date: string, period: Period, count: number) =>
  period !== 'month' ? day(date) : count > 12 ? monthOfYear(date) : month(date)

/** A period in full: 'Oct 2026', 'Nov 13, 2026'; a week by its first day in the range. */
export const periodName = (date: string, period: Period) => (period === 'month' ? wholeMonth(date) : wholeDay(date))
