import { yearOf } from '../../format.ts'

/**
 * Returns the payment years that can be switched, latest first: this year, in December also the next, and last year if
 * it was approved. `today` is YYYY-MM-DD in the account's time zone.
 */
export function yearsShown(approved: readonly number[], today: string) {
  const year = yearOf(today)
  const next = today.slice(5, 7) === '12' || approved.includes(year + 1) ? [year + 1] : []
  return [...next, year, ...(approved.includes(year - 1) ? [year - 1] : [])]
}
