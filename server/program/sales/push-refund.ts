import type { NewPushedRefund } from '#contract/sales.ts'
import type { By } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { lockLeads } from '../leads/lead-facts.ts'
import { OWN_WAYS } from './known-sales.ts'
import { refundByHand } from './refund-sale.ts'
import { lockSubscriptions } from './subscriptions.ts'

/** Locks what a list of refunds is going to change, leads before sales, so that two lists never wait in a circle. */
export async function lockPushed(tx: Transaction, accountId: string, rows: Pick<NewPushedRefund, 'saleExternalId'>[]) {
  const sales = await tx.many<{ id: string; leadId: string | null; subscriptionId: string | null }>`
    select id, lead_id, subscription_id from sales
    where account_id = ${accountId} and provider = any(${OWN_WAYS}::text[])
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
 * Records a refund that an account's own system reports, of a sale that came by one of these ways, the first before others,
 * or by another way of ours alone. Refuses: a sale it has not pushed, or one of several systems with one number; a refund
 * that has the external id of another sale's; more than is left.
 */
export async function pushRefund(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  row: NewPushedRefund,
  from: ('api' | 'incoming-webhook')[] = ['api'],
) {
  const sale = await findPushed(tx, account.id, row.saleExternalId, from)
  const { externalId, amount, reason = null } = row
  const other = await tx.maybe<{ saleId: string }>`
    select sale_id from refunds
    where account_id = ${account.id} and provider = 'api' and kind = 'refund' and external_id = ${externalId}
      and ${sale.provider} = 'api' and sale_id <> ${sale.id}`
  if (other)
    throw refusal('refund_external_id_taken', {
      fields: { externalId: 'This external ID is taken' },
      details: { saleId: other.saleId },
    })
  return refundByHand(tx, by, account, sale.id, { amount, reason, externalId })
}

async function findPushed(tx: Transaction, accountId: string, externalId: string, from: string[]) {
  const sales = await tx.many<{ id: string; provider: string }>`
    select id, provider from sales
    where account_id = ${accountId} and provider = any(${OWN_WAYS}::text[]) and external_id = ${externalId}
    order by created_at, id`
  const way = from.find((one) => sales.some(({ provider }) => provider === one))
  const [sale, ...others] = way ? sales.filter(({ provider }) => provider === way) : sales
  if (!sale) throw wrongField('saleExternalId', 'unknown_pushed_sale')
  if (others.length > 0) throw wrongField('saleExternalId', 'several_pushed_sales')
  return sale
}
