import { proportion } from '#contract/money.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { isReported, kindsAmong, payerOf, refundReport } from '../provider-objects.ts'
import type { Dispute, Order, Refund } from './objects.ts'

/**
 * Returns an order's sale, or null while it is not paid, or not reported. Amounts are in the shop's currency; refunds
 * in the buyer's are converted by their share of the order.
 */
export function paymentOf(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const of = kindsAmong(objects)
  const [order] = of<Order>('order')
  if (!order || order.total <= 0 || !order.currency || !isReported(objects)) return null
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
      ...of<Refund>('refund').map((one) => refundReport('refund', inShopsCurrency(one, order), one.status)),
      ...of<Dispute>('dispute')
        .filter(({ status }) => status !== 'inquiry')
        .map((one) => refundReport('dispute', inShopsCurrency(one, order), DISPUTE_STATUS[one.status] ?? 'pending')),
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

function inShopsCurrency<M extends Order['presented']>(money: M, { presented, total, currency: shops }: Order): M {
  const { amount, currency } = money
  if (currency === shops || currency !== presented.currency || presented.amount <= 0) return money
  return { ...money, amount: proportion(amount, total, presented.amount), currency: shops }
}
