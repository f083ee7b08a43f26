import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** The earnings of referrers from the sales where `of` is true, reversals included, as caps per month count it. */
export const earnedForCaps = (of: (sales: Sql) => Sql) => sql`(
  select s.account_id, s.sale_date, s.partner_id, e.amount
  from sales s
    join commission_entries e on e.account_id = s.account_id and e.sale_id = s.id and e.partner_id = s.partner_id
  where e.layer = 0 and s.given_commission is null and ${of(sql`s`)})`

/**
 * Recounts what an account's referrers earned per month: servers of the release before, while still running, write
 * these months without it. The caller keeps bookings out; refunds wait for the locked months.
 */
export async function recountEarned(tx: Transaction, accountId: string): Promise<void> {
  await tx.run`select from month_stats where account_id = ${accountId} order by month, partner_id for update`
  // its own statement, which sees what they committed before
  await tx.run`
    update month_stats m set earned = n.earned
    from (
      select k.month, k.partner_id, coalesce(sum(e.amount), 0) as earned
      from month_stats k left join ${earnedForCaps((s) => sql`${s}.account_id = ${accountId}`)} e
        on e.partner_id = k.partner_id and date_trunc('month', e.sale_date::timestamp)::date = k.month
      where k.account_id = ${accountId}
      group by k.month, k.partner_id) n
    where m.account_id = ${accountId} and m.month = n.month and m.partner_id = n.partner_id and m.earned <> n.earned`
}
