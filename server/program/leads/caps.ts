import type { Terms } from '#contract/terms.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import { lockKeys } from '../../platform/database/lock-keys.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { firstOfMonth } from '../../platform/time/days.ts'
import { earnedLater } from '../stats/count.ts'
import { type Capped, haveCaps, Used, type UsedByOthers } from '../terms/caps.ts'
import type { SaleTerms } from '../terms/plan.ts'

/**
 * Locks the referrers of these sales until the transaction ends, after leads and subscriptions, and returns what they
 * have earned under their caps. Undefined if no terms have any.
 */
export async function holdCaps(
  tx: Transaction,
  sales: (Capped & { terms: Terms | null })[],
): Promise<Used | undefined> {
  const capped = sales.filter(({ terms, partnerId }) => partnerId && terms && haveCaps(terms))
  if (capped.length === 0) return undefined
  const keys = capped.map(({ accountId, partnerId }) => ({ accountId, name: `caps ${accountId} ${partnerId}` }))
  // sent together, run in this order
  const [, used] = await Promise.all([lockKeys(tx, keys), readUsed(tx, capped)])
  return used
}

/** Returns what a customer was paid for leads in the span of `u`, counted by the days of their events. */
const leadPayIn = (account: Sql, span: 'month' | 'year') => sql`coalesce((
  select sum(e.amount) from commission_entries e join leads l on l.account_id = ${account} and l.id = e.lead_id
  where e.account_id = ${account} and e.partner_id = u.partner_id and e.layer = 0
    and date_trunc(${span}, (l.credit -> e.paid_for ->> 'day')::date) = date_trunc(${span}, u.month) and exists (
      select from partners p join groups g on g.account_id = ${account} and g.id = p.group_id
      where p.account_id = ${account} and p.id = u.partner_id and g.kind = 'customers')), 0)`

/** Returns what the referrers of these sales have earned from the same customers, and in the same months and years. */
export async function readUsed(db: Queryable, sales: Capped[]): Promise<Used> {
  const account = eachAccount(
    sales.map(({ accountId }) => accountId),
    sql`u.account_id`,
  )
  // 'offset 0': the planner would read all sales of the partner, of whom it expects few
  const rows = await db.many<UsedByOthers & { place: number }>`
    select u.place,
      (select coalesce(sum((
          select sum(e.amount) from commission_entries e
          where e.account_id = ${account} and e.sale_id = s.id and e.partner_id = u.partner_id and e.layer = 0)), 0)::bigint
        from (select * from sales where account_id = ${account} and lead_id = u.lead_id offset 0) s
        where s.partner_id = u.partner_id and s.given_commission is null) as customer,
      (coalesce((select earned from month_stats
        where account_id = ${account} and month = u.month and partner_id = u.partner_id), 0)
        + ${leadPayIn(account, 'month')})::bigint as month,
      (coalesce((select sum(earned) from month_stats
        where account_id = ${account} and partner_id = u.partner_id
          and month >= date_trunc('year', u.month) and month < date_trunc('year', u.month) + interval '1 year'), 0)
        + ${leadPayIn(account, 'year')})::bigint as year
    from unnest(${sales.map(({ accountId }) => accountId)}::uuid[], ${sales.map(({ partnerId }) => partnerId)}::uuid[],
        ${sales.map(({ leadId }) => leadId)}::uuid[], ${sales.map(({ saleDate }) => firstOfMonth(saleDate))}::date[])
      with ordinality as u (account_id, partner_id, lead_id, month, place)`
  const laterOf = earnedLater(db)
  const used = new Used()
  for (const { place, customer, month, year } of rows) {
    const sale = sales[place - 1]!
    const { accountId, partnerId, saleDate } = sale
    const later = (day: string) => (partnerId ? laterOf({ accountId, partnerId, month: firstOfMonth(day) }) : 0)
    const months = Array.from(
      { length: 12 },
      (_, at) => `${saleDate.slice(0, 4)}-${String(at + 1).padStart(2, '0')}-01`,
    )
    used.set('customer', sale, customer)
    used.set('month', sale, month + later(saleDate))
    used.set('year', sale, year + months.reduce((sum, day) => sum + later(day), 0))
  }
  return used
}

/** Stores credits that have changed after their sales were written. */
export const storeCredits = (
  tx: Transaction,
  sales: { id: string; accountId: string; credit: SaleTerms | null }[],
) => tx.run`
  update sales s set credit = n.credit
  from unnest(${sales.map(({ id }) => id)}::uuid[], ${sales.map(({ accountId }) => accountId)}::uuid[],
    ${sales.map(({ credit }) => JSON.stringify(credit))}::jsonb[]) as n (id, account_id, credit)
  where s.account_id = ${eachAccount(
    sales.map(({ accountId }) => accountId),
    sql`n.account_id`,
  )} and s.id = n.id`
