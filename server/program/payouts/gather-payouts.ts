import { system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { emitEvents } from '../../platform/events/emit-event.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { balancePartsSql, entriesWithPayout } from '../commissions/entry-status.ts'
import { assignNumbers } from './given-names.ts'
import { lockPayoutAccount } from './payout-terms.ts'
import { payoutsForEvents } from './payouts.ts'

/** Opens the payouts that a sale's due entries are in, at once instead of with the next run. */
export async function openPayoutsOfSale(tx: Transaction, account: AccountFacts, saleId: string): Promise<void> {
  const partners = await tx.many<{ partnerId: string }>`
    select distinct partner_id from commission_entries
    where account_id = ${account.id} and sale_id = ${saleId} and available_at <= ${tx.now}`
  const ids = partners.map(({ partnerId }) => partnerId)
  if (ids.length > 0) await gatherPayouts(tx, account, ids)
}

/**
 * Creates one unapproved payout for every partner whose due entries sum above zero, with the account's next statement
 * number. Only its existence is stored: amount, entries and blockers are computed. Returns how many were created.
 */
export async function gatherPayouts(tx: Transaction, account: AccountFacts, partnerIds?: string[]): Promise<number> {
  await lockPayoutAccount(tx, account.id)
  const only = partnerIds ? sql`and t.partner_id = any(${partnerIds}::uuid[])` : sql``
  // the currency is the entries' own: the account read by the request may be older than they are
  const partners = await tx.many<{ partnerId: string; due: number; currency: string }>`
    select t.partner_id, sum(t.amount)::bigint as due, min(t.currency) as currency
    from ${entriesWithPayout}
    where t.account_id = ${account.id} and ${balancePartsSql(tx.now, account.id).due} ${only}
      and not exists (select from payouts o where o.account_id = ${account.id} and o.partner_id = t.partner_id and o.status = 'gathering')
    group by t.partner_id
    having sum(t.amount) > 0
    order by t.partner_id`
  if (partners.length === 0) return 0
  const last = await assignNumbers(tx, account, partners.length)
  const payouts = partners.map(({ partnerId, due, currency }, index) => ({
    id: newId(),
    partnerId,
    due,
    currency,
    number: last + index + 1,
  }))
  const ids = payouts.map(({ id }) => id)
  await tx.run`
    insert into payouts (id, account_id, partner_id, statement_number, currency, created_at, updated_at)
    select id, ${account.id}, partner_id, number, currency, ${tx.now}, ${tx.now}
    from unnest(${ids}::uuid[], ${payouts.map((payout) => payout.partnerId)}::uuid[],
      ${payouts.map((payout) => payout.number)}::integer[], ${payouts.map((payout) => payout.currency)}::text[])
      as payout (id, partner_id, number, currency)`
  const objects = await payoutsForEvents(tx, account, ids)
  await emitEvents(
    tx,
    objects.map((object) => ({ by: system, accountId: account.id, type: 'payout.due', id: object.id, object })),
  )
  return payouts.length
}
