import { proportion } from '#contract/money.ts'
import { payerOf } from '../payer.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { kindsAmong } from '../things.ts'
import type { Dispute, Order, Refund } from './objects.ts'

/**
 * The sale that an order became, or null while it is not paid, or nobody announced it. Amounts are in the shop's currency;
 * what is given back in the buyer's is the same part of the order in the shop's.
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

/** A charge that was given back is contested no more: its refund counts by itself. */
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
