import { addDays, dayIn } from '#contract/days.ts'

export { addDays, dayIn }

const lastStarts = new Map<string, { day: string; at: Date }>()

/** Returns the instant at which a date begins in a time zone. Caches the last one per zone. */
export function startOfDay(day: string, timeZone: string): Date {
  const known = lastStarts.get(timeZone)
  if (known?.day === day) return known.at
  // no zone is further from UTC than this, and offsets change only at whole minutes
  let [before, after] = [-15 * 60, 15 * 60].map((minutes) => Date.parse(`${day}T00:00:00Z`) / 60_000 + minutes) as [
    number,
    number,
  ]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayIn(timeZone, new Date(middle * 60_000)) < day) before = middle
    else after = middle
  }
  const at = new Date(after * 60_000)
  lastStarts.set(timeZone, { day, at })
  return at
}

/** Returns the whole days from one date to another. */
export const daysBetween = (from: string, to: string) =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)

/** Returns the same day of a later month, or the last day of that month. */
export function addMonths(day: string, months: number): string {
  const first = new Date(`${firstOfMonth(day)}T00:00:00Z`)
  first.setUTCMonth(first.getUTCMonth() + months)
  const month = first.toISOString().slice(0, 10)
  const last = lastOfMonth(month)
  return `${month.slice(0, 8)}${day.slice(8) < last.slice(8) ? day.slice(8) : last.slice(8)}`
}

export const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`

/** Returns the last day of a date's month. */
export const lastOfMonth = (day: string) => addDays(firstOfMonth(addDays(firstOfMonth(day), 31)), -1)

/** Returns the calendar year of an instant in a time zone. */
export const yearIn = (timeZone: string, at: Date) => Number(dayIn(timeZone, at).slice(0, 4))
