import { FIRST_TAX_YEAR } from '#contract/tax-rules.ts'
import { yearOf } from '../../format.ts'

/** How many years the report offers. */
const OFFERED = 10

/** From December 1 on the year that partners are to be approved for. `today` is YYYY-MM-DD in the account's time zone. */
export const yearToPrepare = (today: string) => (today.slice(5, 7) === '12' ? yearOf(today) + 1 : null)

/** The year that an address asks for, else this one. */
export function yearIn(asked: unknown, today: string): number {
  const year = typeof asked === 'string' && /^\d{4}$/.test(asked) ? Number(asked) : 0
  return year >= FIRST_TAX_YEAR && year <= yearOf(today) + 1 ? year : yearOf(today)
}

/** The years to choose from, latest first, the chosen one among them. */
export function yearsOffered(chosen: number, today: string): number[] {
  const latest = Math.max(chosen, yearToPrepare(today) ?? yearOf(today))
  const earliest = Math.min(chosen, yearOf(today) - OFFERED + 1)
  return Array.from({ length: latest - earliest + 1 }, (_, at) => latest - at)
}
