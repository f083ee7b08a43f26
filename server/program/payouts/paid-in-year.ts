import { type Sql, sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../access/account-facts.ts'

const startOf = (year: number, { timeZone }: AccountFacts) =>
  sql`(make_date(${year}::integer, 1, 1)::timestamp at time zone ${timeZone})`

/**
 * What was paid in a calendar year of the account's time zone, one row a partner who was paid anything, as a table to
 * select from. A payout that was returned is paid no more.
 */
export const paidInYear = (account: AccountFacts, year: number): Sql => sql`(
  select o.partner_id, sum(o.amount)::bigint as paid, count(*) as payouts,
    case when min(o.method) = max(o.method) then min(o.method) else 'several' end as method
  from payouts o
  where o.account_id = ${account.id} and o.status = 'paid'
    and o.paid_at >= ${startOf(year, account)} and o.paid_at < ${startOf(year + 1, account)}
  group by o.partner_id)`
