import type { NewPushedRefund } from '#contract/sales.ts'
import type { By } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { lockLeads } from '../leads/lead-facts.ts'
import { refundByHand } from './refund-sale.ts'
import { lockSubscriptions } from './subscriptions.ts'

/** Locks what a list of refunds is going to change, leads before sales, so that two lists never wait in a circle. */
export async function lockPushed(tx: Transaction, accountId: string, rows: Pick<NewPushedRefund, 'saleExternalId'>[]) {
  const sales = await tx.many<{ id: string; leadId: string | null; subscriptionId: string | null }>`
    select id, lead_id, subscription_id from sales
    where account_id = ${accountId} and provider = 'api'
      and external_id = any(${rows.map((row) => row.saleExternalId)}::text[])`
  await lockLeads(
    tx,
    [accountId],
    sales.map((sale) => sale.leadId).filter((id) => id !== null),
  )
  await lockSubscriptions(
    tx,
    sales.map(({ subscriptionId }) => ({ accountId, subscriptionId })),
  )
  await tx.run`
    select from sales where account_id = ${accountId} and id = any(${sales.map((sale) => sale.id)}::uuid[])
    order by id for update`
}

/**
 * Records a refund that an account's own system reports, of a sale that came by one of these ways, the first before others.
 * Refuses: a sale it has not pushed; more than is left.
 */
export async function pushRefund(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  row: NewPushedRefund,
  from: ('api' | 'incoming-webhook')[] = ['api'],
) {
  const sale = await tx.maybe<{ id: string; provider: string }>`
    select id, provider from sales
    where account_id = ${account.id} and provider = any(${from}::text[]) and external_id = ${row.saleExternalId}
    order by array_position(${from}::text[], provider) limit 1`
  if (!sale) throw wrongField('saleExternalId', 'unknown_pushed_sale')
  const { externalId, amount, reason = null } = row
  const known = await tx.maybe<{ id: string }>`
    select id from refunds
    where account_id = ${account.id} and provider = ${sale.provider} and kind = 'refund' and external_id = ${externalId}`
  if (known) return { id: known.id, created: false }
  return refundByHand(tx, by, account, sale.id, { amount, reason, externalId })
}
