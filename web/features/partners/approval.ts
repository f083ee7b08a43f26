import type { Balance } from '#contract/balances.ts'
import { toYear } from '../../format.ts'

/** Whether the partner has earned anything that was not paid yet. */
export const isOwed = ({ held, due, onHold, inPayout }: Balance) =>
  held !== 0 || due !== 0 || onHold !== 0 || inPayout !== 0

/**
 * Returns the payment years that can be switched, latest first: this year, in December also the next, and last year if
 * it was approved. `today` is YYYY-MM-DD in the account's time zone.
 */
export function yearsShown(approved: readonly number[], today: string) {
  const year = toYear(today)
  const next = today.slice(5, 7) === '12' || approved.includes(year + 1) ? [year + 1] : []
  return [...next, year, ...(approved.includes(year - 1) ? [year - 1] : [])]
}
