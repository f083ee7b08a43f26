import type { PayoutTotals } from '#contract/payouts.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { paidIn } from './paid-in-year.ts'
import { sumsOfMany } from './partner-balances.ts'
import { estimateFees } from './payout-attempts.ts'
import { getPayoutTerms } from './payout-terms.ts'
import { readPayouts } from './payouts.ts'

const total = (rows: Sql, amount = sql`t.amount`) =>
  sql`jsonb_build_object('amount', coalesce(sum(${amount}) filter (where ${rows}), 0), 'count', count(*) filter (where ${rows}))`

const partTotal = (...parts: string[]) => total(sql`t.part = any(${parts}::text[])`)

const nonZero = (amount: Sql) => total(sql`${amount} <> 0`, amount)

/**
 * Returns what the account owes, by its parts, and what was paid: all of one statement, so that the parts add up. The
 * balances are read once, for the parts and for the payouts.
 */
export async function getPayoutTotals(db: Queryable, account: AccountFacts): Promise<PayoutTotals> {
  const terms = await getPayoutTerms(db, account)
  const dues = sql`select partner_id, due, held_until, period_start, period_end from balances`
  const { totals, ready } = await db.one<{
    totals: Omit<PayoutTotals, 'currency' | 'feeEstimate'>
    ready: Parameters<typeof estimateFees>[2]
  }>`
    with balances as materialized (${sumsOfMany(account.id, db.now)}),
    found as materialized (select t.partner_id, t.amount, t.status, t.need, t.part, t.method
      from ${readPayouts(terms, db.now, { needy: true, sums: dues })} t),
    parts as materialized (
      select partner_id, 'held' as part, held as amount from balances where held <> 0
      union all select partner_id, 'on-hold', on_hold from balances where on_hold <> 0
      union all select partner_id, 'overpaid', due from balances where due < 0
      union all select b.partner_id, case when r.partner_id is null then 'blocked' else 'ready' end, b.due
        from balances b left join (select partner_id from found where status = 'due') r on r.partner_id = b.partner_id
        where b.due > 0
      union all select partner_id, part, amount from found where part is not null
    ),
    partners as (
      select coalesce(sum(amount) filter (where part <> 'being-returned'), 0) as owed,
        coalesce(sum(amount) filter (where part in ('held', 'on-hold')), 0) as not_yet_due
      from parts group by partner_id
    )
    select
      (select jsonb_build_object('ready', ${partTotal('ready')}, 'dueNow', ${partTotal('ready')}, 'blocked', ${partTotal('blocked')},
        'overpaid', ${total(sql`t.part = 'overpaid'`, sql`-t.amount`)},
        'awaitingFunding', ${partTotal('awaiting-funding')}, 'inPayout', ${partTotal('in-payout')},
        'beingReturned', ${partTotal('being-returned')}, 'held', ${partTotal('held')}, 'onHold', ${partTotal('on-hold')})
        from parts t)
      || (select jsonb_build_object('owed', ${nonZero(sql`t.owed`)}, 'due', ${nonZero(sql`(t.owed - t.not_yet_due)`)},
        'notYetDue', ${nonZero(sql`t.not_yet_due`)}) from partners t)
      || (select jsonb_build_object('unapproved', ${total(sql`t.status in ('open', 'due')`)},
        'needsAction', ${total(sql`t.need is not null`)}) from found t)
      || (select jsonb_build_object('paidThisYear', ${total(paidIn(terms.year, sql`t`))}, 'paid', ${total(sql`true`)})
        from payouts t where t.account_id = ${account.id} and t.status = 'paid') as totals,
      (select coalesce(jsonb_object_agg(method, count), '{}')
        from (select method, count(*) from found where status = 'due' group by method) m) as ready`
  return {
    currency: account.defaultCurrency,
    ...totals,
    feeEstimate: await estimateFees(db, account.id, ready),
  }
}
