import type { NewPushedRefund } from '#contract/sales.ts'
import type { By } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { lockLeads } from '../leads/lead-facts.ts'
import { saleCalled, salesCalled } from './known-sales.ts'
import { refundByHand } from './refund-sale.ts'
import { lockSubscriptions } from './subscriptions.ts'

/** Locks what a list of refunds is going to change, leads before sales, so that two lists never wait in a circle. */
export async function lockPushed(tx: Transaction, accountId: string, rows: Pick<NewPushedRefund, 'saleExternalId'>[]) {
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

/**
 * Records a refund that an account's own system reports, of a sale that came by one of these ways, the first before others,
 * or by another way alone. Refuses: an unknown sale, or one of several systems with one number; a refund that has the
 * external id of another sale's; more than is left.
 */
export async function pushRefund(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  row: NewPushedRefund,
  from: ('api' | 'incoming-webhook')[] = ['api'],
) {
  const { saleExternalId, externalId, amount, reason = null } = row
  const saleId = await saleCalled(tx, account.id, [saleExternalId], from)
  if (!saleId) throw wrongField('saleExternalId', 'unknown_pushed_sale')
  return refundByHand(tx, by, account, saleId, { amount, reason, externalId })
}
