import { netOfTax } from '../net-of-tax.ts'
import { linesOrNull } from '../payment-lines.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { isReported, kindsAmong, type PayerFacts, refundReport, toPayer } from '../provider-objects.ts'
import type { Invoice, Order, Payment, Refund } from './objects.ts'

/**
 * Returns the payment shown by these objects, or null while it is not completed, or not reported. The gross amount is
 * the buyer's payment including the tip, as refunds include it too. The rest is a part of its order's bill.
 */
export function toPayment(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const of = kindsAmong(objects)
  const [payment] = of<Payment>('payment')
  if (!payment?.isCompleted || payment.amount <= 0 || !payment.currency || !isReported(objects)) return null
  const orders = of<Order>('order').filter(({ id }) => id === payment.order)
  const invoices = of<Invoice>('invoice')
  const { total, tax, shipping } = orders[0] ?? { total: payment.amount, tax: 0, shipping: 0 }
  const { net, ...taxed } = netOfTax(payment.amount, { total, net: total - tax - shipping, tax })
  return {
    ...toPayer([payment, ...orders, ...invoices, ...of<PayerFacts>('customer')]),
    externalId: key,
    amount: net,
    taxAmount: taxed.tax,
    grossAmount: payment.total,
    currency: payment.currency,
    at: new Date(payment.at),
    description: payment.description ?? invoices[0]?.description ?? null,
    subscriptionId: invoices.find(({ subscription }) => subscription)?.subscription ?? null,
    card: payment.card,
    lines: linesOrNull(orders[0]?.lines),
    refunds: toRefunds(key, objects),
  }
}

export function toRefunds(_: string, objects: ProviderObject[]): ProviderPayment['refunds'] {
  const of = kindsAmong(objects)
  return [
    ...of<Refund>('refund').flatMap((one) => {
      const status = REFUND_STATUS[one.status]
      return status ? [refundReport('refund', one, status)] : []
    }),
    ...of<Refund>('dispute')
      .filter(({ status }) => !status.startsWith('INQUIRY_'))
      .map((one) => refundReport('dispute', one, DISPUTE_STATUS[one.status] ?? 'pending')),
  ]
}

/** Results of refunds; a pending one does not count yet. */
const REFUND_STATUS: Record<string, 'succeeded' | 'failed'> = {
  COMPLETED: 'succeeded',
  REJECTED: 'failed',
  FAILED: 'failed',
}

const DISPUTE_STATUS: Record<string, 'succeeded' | 'failed'> = {
  LOST: 'succeeded',
  ACCEPTED: 'succeeded',
  WON: 'failed',
}
