import { yearOf } from '../../format.ts'

/**
 * The years of payment that can be switched, latest first: this one, in December the next one too, and the last one where
 * it was approved. `today` is YYYY-MM-DD in the account's time zone.
 */
export function yearsShown(approved: readonly number[], today: string) {
  const year = yearOf(today)
  const next = today.slice(5, 7) === '12' || approved.includes(year + 1) ? [year + 1] : []
  return [...next, year, ...(approved.includes(year - 1) ? [year - 1] : [])]
}
