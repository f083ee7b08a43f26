import { type Sql, sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../access/account-facts.ts'

/** Whether the money of payouts `o` left in this calendar year, whatever the account's time zone is by now. */
export const paidIn = (year: number, o: Sql = sql`o`) =>
  sql`${o}.paid_on between make_date(${year}::integer, 1, 1) and make_date(${year}::integer, 12, 31)`

/** Payment networks, which report what they paid themselves. */
const NETWORKS = ['paypal']

/**
 * Whether a network paid payout `o` of this account: also one that a person found out was paid, whose method is by hand
 * since then.
 */
const isOfNetwork = (accountId: string) => sql`(o.method = any(${NETWORKS}) or (o.method = 'manual' and exists (
  select from payout_attempts a
  where a.account_id = ${accountId} and a.payout_id = o.id and a.method = any(${NETWORKS}) and a.state = 'decided')))`

/** Whether payout `o` gave a customer something other than money. */
const isInKind = sql`coalesce(o.reward ->> 'as' <> 'money', false)`

/**
 * Payments of a calendar year as a table to select from, a row for each partner paid. A returned payout no longer
 * counts. `reportable` is the money that no network reports.
 */
export const paidInYear = (account: AccountFacts, year: number): Sql => sql`(
  select o.partner_id, sum(o.amount)::bigint as paid, count(*) as payouts,
    coalesce(sum(o.amount) filter (where not ${isOfNetwork(account.id)} and not ${isInKind}), 0)::bigint as reportable,
    coalesce(sum(o.amount) filter (where ${isInKind}), 0)::bigint as rewards,
    sum(o.tax_amount)::bigint as tax_paid,
    case when min(o.method) = max(o.method) then min(o.method) else 'several' end as method
  from payouts o
  where o.account_id = ${account.id} and o.status = 'paid' and ${paidIn(year)}
  group by o.partner_id)`
