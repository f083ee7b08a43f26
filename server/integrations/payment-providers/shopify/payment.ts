import { splitByShares, toProportion } from '#contract/money.ts'
import { linesOrNull } from '../payment-lines.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { isReported, kindsAmong, refundReport, toPayer } from '../provider-objects.ts'
import type { Dispute, Order, Refund, Returned } from './objects.ts'

/**
 * Returns an order's sale, or null while it is not paid, or not reported. Amounts are in the shop's currency; refunds
 * in the buyer's are converted by their share of the order.
 */
export function toPayment(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const of = kindsAmong(objects)
  const [order] = of<Order>('order')
  if (!order || order.total <= 0 || !order.currency || !isReported(objects)) return null
  return {
    ...toPayer([order]),
    externalId: key,
    amount: order.net,
    taxAmount: order.tax,
    grossAmount: order.total,
    currency: order.currency,
    at: new Date(order.at),
    description: order.description,
    subscriptionId: null,
    lines: linesOrNull(order.lines),
    refunds: toRefunds(key, objects, order.currency),
  }
}

export function toRefunds(_: string, objects: ProviderObject[], currency: string): ProviderPayment['refunds'] {
  const of = kindsAmong(objects)
  const [order] = of<Order>('order')
  const inShops = <M extends Order['presented']>(money: M) => (order ? inShopsCurrency(money, order) : money)
  const refunds = of<Refund>('refund').map(inShops)
  const returned = of<Returned>('returned')
  return [
    ...refunds.map((one) => ({
      ...refundReport('refund', one, one.status),
      lines: one.currency === currency ? linesOf(one, refunds, returned) : null,
    })),
    ...of<Dispute>('dispute')
      .filter(({ status }) => status !== 'inquiry')
      .map((one) => refundReport('dispute', inShops(one), DISPUTE_STATUS[one.status] ?? 'pending')),
  ]
}

type Transaction = Refund & { id: string }

/** Returns the share of a transaction in the lines that its refund returns: by its amount. */
function linesOf({ id }: Transaction, refunds: Transaction[], returned: Returned[]) {
  const whole = returned.find(({ transactions }) => transactions.includes(id))
  if (!whole) return null
  const ways = whole.transactions.map((way) => refunds.find((refund) => refund.id === way)?.amount ?? 0)
  const place = whole.transactions.indexOf(id)
  return whole.lines.map((line) => ({ id: line.id, amount: splitByShares(line.amount, ways)[place]! }))
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
  return { ...money, amount: toProportion(amount, total, presented.amount), currency: shops }
}
