import type { NewPushedRefund } from '#contract/sales.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { Refusal, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { lockLeads } from '../leads/lead-facts.ts'
import { markReportedDirectly } from './imported-keys.ts'
import { isOfOrder, paymentOfOrder, saleCalled, salesCalled } from './known-sales.ts'
import { refundByHand } from './refund-sale.ts'
import { lockSubscriptions } from './subscriptions.ts'

/** Locks the rows that a list of refunds changes, leads before sales, so that two lists never wait in a circle. */
export async function lockPushedRefunds(
  tx: Transaction,
  accountId: string,
  rows: Pick<NewPushedRefund, 'saleExternalId'>[],
) {
  const names = rows.map((row) => row.saleExternalId)
  const sales = await salesCalled(tx, accountId, names)
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

type Source = 'api' | 'incoming-webhook'

/** Returns the currency of the sale, or the order, that a refund of these sources names; undefined if it names none. */
export async function currencyOfRefunded(
  tx: Transaction,
  accountId: string,
  saleExternalId: string,
  from: Source[],
): Promise<string | undefined> {
  const saleId = await saleCalled(tx, accountId, [saleExternalId], from).catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })
  const named = saleId ? sql`id = ${saleId}` : isOfOrder(saleExternalId, from)
  const sale = await tx.maybe<{ currency: string }>`
    select currency from sales where account_id = ${accountId} and ${named} limit 1`
  return sale?.currency
}

/**
 * Records a refund reported by an account's own system, for a sale from these sources, in order, or else from any
 * other. `inAll`: all that was refunded of the sale so far, instead of an amount. Refuses: an unknown sale, or a number
 * shared by several systems or payments; a refund with the external id of another sale's; more than is left; lines that
 * the sale does not have, or that exceed the refund.
 */
export async function pushRefund(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  row: NewPushedRefund,
  from: Source[] = ['api'],
  inAll?: number,
) {
  const { saleExternalId, externalId, amount, lines, reason = null } = row
  const order = { orderId: saleExternalId, refundId: externalId ?? null, amount: amount ?? inAll ?? 0 }
  let saleId = await saleCalled(tx, account.id, [saleExternalId], from)
  // a system behind a webhook may know the order alone; one that calls the API has named each sale
  if (from.includes('incoming-webhook')) saleId ??= await paymentOfOrder(tx, account.id, order, from)
  if (!saleId) throw wrongField('saleExternalId', 'unknown_pushed_sale')
  await markReportedDirectly(tx, account.id, [saleId])
  return refundByHand(tx, by, account, saleId, { amount, lines, reason, externalId, inAll })
}
