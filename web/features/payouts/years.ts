import { FIRST_TAX_YEAR } from '#contract/tax-rules.ts'
import { toYear } from '../../format.ts'

/** Years that the report offers. */
const OFFERED = 10

/** Returns the year to approve partners for, from December 1 on. `today` is YYYY-MM-DD in the account's time zone. */
export const yearToPrepare = (today: string) => (today.slice(5, 7) === '12' ? toYear(today) + 1 : null)

/** Returns the year in the address, or this year. */
export function yearIn(asked: unknown, today: string): number {
  const year = typeof asked === 'string' && /^\d{4}$/.test(asked) ? Number(asked) : 0
  return year >= FIRST_TAX_YEAR && year <= toYear(today) + 1 ? year : toYear(today)
}

/** Returns the years to choose from, latest first, including the chosen one. */
export function yearsOffered(chosen: number, today: string): number[] {
  const latest = Math.max(chosen, yearToPrepare(today) ?? toYear(today))
  const earliest = Math.min(chosen, toYear(today) - OFFERED + 1)
  return Array.from({ length: latest - earliest + 1 }, (_, at) => latest - at)
}
