import { splitByShares } from '#contract/money.ts'
import { netOfTax } from '../net-of-tax.ts'
import { linesOrNull } from '../payment-lines.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { isReported, kindsAmong, refundReport, toPayer } from '../provider-objects.ts'
import { fromStripe } from '../stripe-amounts.ts'
import type { Order, Refund } from './objects.ts'

/** Returns the payment of an order, or null while it is not reported. The discount is spread over its lines. */
export function toPayment(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const [order] = kindsAmong(objects)<Order>('order')
  if (!order || !isReported(objects)) return null
  const { currency } = order
  const { net, tax } = netOfTax(order.paid, order)
  const ours = (amount: number) => fromStripe(amount, currency)
  const lines = order.lines.filter(({ amount }) => amount > 0)
  const shares = splitByShares(
    ours(net),
    lines.map(({ amount }) => amount),
  )
  return {
    ...toPayer([order]),
    externalId: key,
    amount: ours(net),
    taxAmount: ours(tax),
    grossAmount: ours(order.paid),
    currency,
    at: new Date(order.at),
    description: order.description,
    subscriptionId: order.subscription,
    lines: linesOrNull(lines.map((line, place) => ({ ...line, amount: shares[place]! }))),
    refunds: toRefunds(key, objects),
  }
}

export function toRefunds(_: string, objects: ProviderObject[]): ProviderPayment['refunds'] {
  const of = kindsAmong(objects)
  return [
    ...of<Refund>('refund').map((one) => refundReport('refund', ours(one), REFUND_STATUS[one.status] ?? 'pending')),
    ...of<Refund>('dispute')
      .filter(({ status }) => !WITHOUT_MONEY.includes(status))
      .map((one) => ({
        ...refundReport('dispute', ours(one), DISPUTE_STATUS[one.status] ?? 'pending'),
        overturned: one.status === 'won',
      })),
  ]
}

const ours = <R extends Refund>(refund: R): R => ({ ...refund, amount: fromStripe(refund.amount, refund.currency) })

const REFUND_STATUS: Record<string, 'succeeded' | 'failed' | 'canceled'> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
}

/** Disputes that moved no money: a warning, and one prevented by a refund, which is reported itself. */
const WITHOUT_MONEY = ['early_warning', 'prevented']

const DISPUTE_STATUS: Record<string, 'succeeded' | 'failed'> = { lost: 'succeeded', won: 'failed' }
