import { wrongField } from '../../platform/refusal.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'

/** Epoch of most clocks: an older date is a mistake. */
export const FIRST_SALE_DAY = '1970-01-01'

/**
 * Returns the sale date, defaulting to today. Refuses one in the future both in the account's time zone and in UTC, and
 * one before 1970.
 */
export function refuseFuture(account: AccountFacts, now: Date, saleDate: string | null): string {
  const today = dayIn(account.timeZone, now)
  if (saleDate === null) return today
  if (saleDate < FIRST_SALE_DAY) throw wrongField('saleDate', 'day_too_early')
  if (saleDate > today && saleDate > dayIn('UTC', now)) throw wrongField('saleDate', 'day_in_future')
  return saleDate
}
