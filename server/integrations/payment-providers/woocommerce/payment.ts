import { linesOrNull } from '../payment-lines.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { isReported, kindsAmong, refundReport, toPayer } from '../provider-objects.ts'
import type { Begun, Order, Refunds } from './objects.ts'

/** Returns an order's sale, or null while it was never paid, or not reported. */
export function toPayment(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const of = kindsAmong(objects)
  const [order] = of<Order>('order')
  if (!order || order.standing === 'unpaid' || !isReported(objects)) return null
  return {
    ...toPayer([order]),
    externalId: key,
    amount: order.net,
    taxAmount: order.tax,
    grossAmount: order.total,
    currency: order.currency,
    at: new Date(order.at),
    description: order.description,
    subscriptionId: order.subscription ?? of<Begun>('begun')[0]?.subscription ?? null,
    lines: linesOrNull(order.lines),
    refunds: toRefunds(key, objects),
  }
}

/**
 * Returns an order's refunds, and the rest of an order that was paid and is not any more: while it is on hold its sale
 * waits, and once it is cancelled or failed it is given back.
 */
export function toRefunds(key: string, objects: ProviderObject[]): ProviderPayment['refunds'] {
  const of = kindsAmong(objects)
  const [order] = of<Order>('order')
  const [{ list: refunds, lines, reason } = NONE] = of<Refunds>('refunds')
  const reports = refunds.map((one) => ({
    ...report('refund', { ...one, reason: reason?.[one.id] ?? null }, 'succeeded'),
    lines: lines.filter(({ refund }) => refund === one.id).map(({ id, amount }) => ({ id, amount })),
  }))
  const left = (order?.total ?? 0) - refunds.reduce((sum, { amount }) => sum + amount, 0)
  if (!order || left <= 0) return reports
  const rest = { id: `${key}:rest`, amount: left, currency: order.currency, reason: null, at: order.changedAt }
  if (order.standing === 'waiting') reports.push(report('dispute', rest, 'pending'))
  if (order.standing === 'ended') reports.push(report('refund', rest, 'succeeded'))
  return reports
}

const NONE: Refunds = { list: [], lines: [], reason: null }

const report = (...[kind, one, status]: Parameters<typeof refundReport>) => ({
  ...refundReport(kind, one, status),
  lines: [],
})
