import { proportion } from '#contract/money.ts'
import { payerOf } from '../payer.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { kindsAmong } from '../provider-objects.ts'
import type { Dispute, Order, Refund } from './objects.ts'

/**
 * Returns an order's sale, or null while it is not paid, or not announced. Amounts are in the shop's currency; refunds
 * in the buyer's are converted by their share of the order.
 */
export function paymentOf(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const of = kindsAmong(objects)
  const [order] = of<Order>('order')
  if (!order || order.total <= 0 || !order.currency || of('announcement').length === 0) return null
  return {
    ...payerOf([order]),
    externalId: key,
    amount: order.net,
    taxAmount: order.tax,
    grossAmount: order.total,
    currency: order.currency,
    at: new Date(order.at),
    description: order.description,
    subscriptionId: null,
    refunds: [
      ...of<Refund>('refund').map(({ id, status, reason, at, ...money }) => ({
        ...{ kind: 'refund' as const, externalId: id, status, reason, at: new Date(at) },
        ...inShopsCurrency(money, order),
      })),
      ...of<Dispute>('dispute').flatMap(({ id, status, reason, at, ...money }) => {
        if (status === 'inquiry') return []
        const end = DISPUTE_STATUS[status] ?? ('pending' as const)
        const report = { kind: 'dispute' as const, externalId: id, status: end, reason, at: new Date(at) }
        return [{ ...report, ...inShopsCurrency(money, order) }]
      }),
    ],
  }
}

/** A refunded charge is no longer disputed: its refund counts by itself. */
const DISPUTE_STATUS: Record<string, 'succeeded' | 'failed'> = {
  lost: 'succeeded',
  accepted: 'succeeded',
  won: 'failed',
  charge_refunded: 'failed',
  prevented: 'failed',
}

function inShopsCurrency({ amount, currency }: Order['presented'], { presented, total, currency: shops }: Order) {
  if (currency === shops || currency !== presented.currency || presented.amount <= 0) return { amount, currency }
  return { amount: proportion(amount, total, presented.amount), currency: shops }
}
