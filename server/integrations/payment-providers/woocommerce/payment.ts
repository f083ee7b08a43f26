import { linesOrNull } from '../payment-lines.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { isReported, kindsAmong, payerOf, refundReport } from '../provider-objects.ts'
import type { Begun, Order, Refunds } from './objects.ts'

/** Returns an order's sale, or null while it was never paid, or not reported. */
export function paymentOf(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const of = kindsAmong(objects)
  const [order] = of<Order>('order')
  if (!order || order.standing === 'unpaid' || !isReported(objects)) return null
  return {
    ...payerOf([order]),
    externalId: key,
    amount: order.net,
    taxAmount: order.tax,
    grossAmount: order.total,
    currency: order.currency,
    at: new Date(order.at),
    description: order.description,
    subscriptionId: order.subscription ?? of<Begun>('begun')[0]?.subscription ?? null,
    lines: linesOrNull(order.lines),
    refunds: refundsOf(key, objects),
  }
}

/**
 * Returns an order's refunds, and the rest of an order that was paid and is not any more: while it is on hold its sale
 * waits, and once it is cancelled or failed it is given back.
 */
export function refundsOf(key: string, objects: ProviderObject[]): ProviderPayment['refunds'] {
  const of = kindsAmong(objects)
  const [order] = of<Order>('order')
  const refunds = of<Refunds>('refunds').flatMap(({ list, reason }) =>
    list.map((one) => ({ ...one, reason: reason?.[one.id] ?? null })),
  )
  const reports = refunds.map((one) => ({ ...refundReport('refund', one, 'succeeded'), lines: one.lines }))
  const left = (order?.total ?? 0) - refunds.reduce((sum, { amount }) => sum + amount, 0)
  if (!order || left <= 0) return reports
  const rest = { amount: left, currency: order.currency, reason: null, at: order.since }
  if (order.standing === 'waiting') reports.push(report('dispute', { ...rest, id: `${key}:on-hold` }, 'pending'))
  // a refund that was taken back is final: the next one has a name of its own
  if (order.standing === 'ended') reports.push(report('refund', { ...rest, id: `${key}:${order.since}` }, 'succeeded'))
  return reports
}

const report = (...[kind, one, status]: Parameters<typeof refundReport>) => ({
  ...refundReport(kind, one, status),
  lines: [],
})
