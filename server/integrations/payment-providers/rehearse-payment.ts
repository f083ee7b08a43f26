import { system } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { applyRefund } from '../../program/sales/refund-sale.ts'
import { recordPayment } from './book-payment.ts'
import { presentConnection } from './present-connections.ts'
import { firstConnection } from './queries.ts'
import { findAdapter } from './registry.ts'

type Paid = { externalId: string; email: string; clickId: string; amount: number }

/**
 * Books a payment like one of the account's first provider, in a transaction that is rolled back; undefined without a
 * provider. `stateReason`: a problem of the connection that may block real payments.
 */
export async function rehearsePayment(tx: Transaction, account: AccountFacts, paid: Paid) {
  const connection = await firstConnection(tx, account.id)
  const adapter = connection && findAdapter(connection.provider)
  if (!adapter) return undefined
  const { amount, clickId, email, externalId } = paid
  const { shopId, id: connectionId } = connection
  const { saleId } = await recordPayment(
    tx,
    { shopId, connectionId, account, adapter },
    {
      customerId: null,
      email,
      name: null,
      country: null,
      references: [clickId],
      promotionCodes: [],
      externalId,
      amount,
      taxAmount: 0,
      grossAmount: amount,
      currency: account.defaultCurrency,
      at: tx.now,
      description: null,
      subscriptionId: null,
      lines: null,
      refunds: [],
    },
    null,
  )
  const { stateReason } = await presentConnection(tx, account.id, connectionId)
  const refund = () =>
    applyRefund(tx, system, account, saleId, {
      kind: 'refund',
      externalId,
      amount,
      status: 'succeeded',
      reason: null,
      at: tx.now,
    })
  return { saleId, provider: adapter.name, stateReason, refund }
}
