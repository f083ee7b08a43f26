import type { AccountFacts } from '../http/access.ts'
import { wrongField } from '../refusal.ts'
import { dayIn } from '../time/days.ts'

/** The sale date, today where none is given. Refuses one after today both in the account's time zone and in UTC. */
export function refuseFuture(account: AccountFacts, now: Date, saleDate: string | null): string {
  const today = dayIn(account.timeZone, now)
  if (saleDate === null) return today
  if (saleDate > today && saleDate > dayIn('UTC', now)) throw wrongField('saleDate', 'The date cannot be in the future')
  return saleDate
}
