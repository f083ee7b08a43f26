import type { Terms } from '#contract/terms.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import { lockKeys } from '../../platform/database/lock-keys.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
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
  const keys = capped.map(({ accountId, partnerId }) => `caps ${accountId} ${partnerId}`)
  // sent together, run in this order
  const [, used] = await Promise.all([lockKeys(tx, keys), readUsed(tx, capped)])
  return used
}

/** Returns what the referrers of these sales have earned from the same customers, and in the same months. */
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
      coalesce((select earned from month_stats
        where account_id = ${account} and month = u.month and partner_id = u.partner_id), 0)::bigint as month
    from unnest(${sales.map(({ accountId }) => accountId)}::uuid[], ${sales.map(({ partnerId }) => partnerId)}::uuid[],
        ${sales.map(({ leadId }) => leadId)}::uuid[], ${sales.map(({ saleDate }) => firstOfMonth(saleDate))}::date[])
      with ordinality as u (account_id, partner_id, lead_id, month, place)`
  const laterOf = earnedLater(db)
  const used = new Used()
  for (const { place, customer, month } of rows) {
    const sale = sales[place - 1]!
    const { accountId, partnerId, saleDate } = sale
    const later = partnerId ? laterOf({ accountId, partnerId, month: firstOfMonth(saleDate) }) : 0
    used.set('customer', sale, customer)
    used.set('month', sale, month + later)
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
