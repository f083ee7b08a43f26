import { type Sql, sql } from '../../platform/database/sql.ts'
import { addDays, startOfDay } from '../../platform/time/days.ts'

const GRACE_MS = 5 * 60_000

/**
 * Time of a payment: from `at` to `until`, as senders cut milliseconds and seconds. `referredBy`: the latest referral
 * that still counts as before it; clocks differ too.
 */
export type PaidAt = { at: Date; until: Date; referredBy: Date }

export const paidAt = (at: Date): PaidAt => {
  const later = (ms: number) => new Date(at.getTime() + ms)
  const cut = [60_000, 1000].find((ms) => at.getTime() % ms === 0) ?? 1
  return { at, until: later(cut - 1), referredBy: later(GRACE_MS) }
}

/**
 * Returns the time of a payment known by its date alone: a referral on that date comes before it, one on the next does
 * not. Shortly before midnight, today’s counts as made now, too.
 */
export function paidOn(day: string, timeZone: string, now: Date): PaidAt {
  const end = new Date(startOfDay(addDays(day, 1), timeZone).getTime() - 1)
  if (end < now) return { at: end, until: end, referredBy: end }
  const { referredBy } = paidAt(now)
  return { at: now, until: now, referredBy: end < referredBy ? referredBy : end }
}

/** Whether lead `t` of this account has sales. */
export const hasSales = (account: Sql) =>
  // 'offset 0': one index search each, even if the planner expects few sales
  sql`exists (select from sales s where s.account_id = ${account} and s.lead_id = t.id offset 0)`
/** Sales that win their lead: above zero, and not given back. */
export const isWinning = sql`status <> 'void' and amount > 0 and refunded_amount < gross_amount`

export const isProtectedSql = (now: Date) => sql`(t.protected_until is null or t.protected_until > ${now})`

/**
 * Whether lead `t` was referred before a payment (by `referredBy`), since nothing before the referral earns. Checked
 * wherever a payment finds its lead only by the payer's identity. Always true for a lead that earns for no partner.
 */
export const inTime = (referredBy: Sql) => sql`(t.partner_id is null or t.status = 'rejected'
  or coalesce(t.attributed_at, t.created_at) <= ${referredBy})`

/**
 * Whether an e-mail finds lead `t` of this account for a payment at this time. Includes rejected leads, to report why no partner earns.
 */
export const foundByEmail = (account: Sql, at: Date) => sql`(t.status = 'rejected'
  or (t.status in ('new', 'qualified', 'won', 'lost') and (${hasSales(account)} or ${isProtectedSql(at)})))`

/** Order of the leads that an e-mail finds, with `has_sales` as selected: customers first, then the oldest. */
export const customersFirst = sql`has_sales desc, created_at, id`
