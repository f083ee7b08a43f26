import { type Sql, sql } from '../../platform/database/sql.ts'
import { addDays, startOfDay } from '../../platform/time/days.ts'

const GRACE_MS = 5 * 60_000

/**
 * When a payment was made. `referredBy`: the last moment at which a referral still comes before it; clocks differ, and some
 * senders cut seconds.
 */
export type PaidAt = { at: Date; referredBy: Date }

export const paidAt = (at: Date): PaidAt => ({ at, referredBy: new Date(at.getTime() + GRACE_MS) })

/** Of a payment that is known by its day alone: a referral of that day comes before it, one of the next does not. */
export function paidOn(day: string, timeZone: string, now: Date): PaidAt {
  const end = new Date(startOfDay(addDays(day, 1), timeZone).getTime() - 1)
  return { at: end < now ? end : now, referredBy: end }
}

export const hasSales = sql`exists (select from sales s where s.account_id = t.account_id and s.lead_id = t.id)`
export const inside = (now: Date) => sql`(t.protected_until is null or t.protected_until > ${now})`

/**
 * Nothing before the referral earns: whether a lead `t` was referred by the last moment that comes before a payment.
 * Asked wherever a payment looks for its lead by what only says who pays. A lead that earns nobody anything is not asked.
 */
export const inTime = (referredBy: Sql) => sql`(t.partner_id is null or t.status = 'rejected'
  or coalesce(t.attributed_at, t.created_at) <= ${referredBy})`

/** Whether an e-mail finds a lead `t` for a payment of this moment. A rejected one is found so that it says why nobody earns. */
export const foundByEmail = (at: Date) => sql`(t.status = 'rejected'
  or (t.status in ('new', 'qualified', 'won', 'lost') and (${hasSales} or ${inside(at)})))`
