import { netOfTax } from '../net-of-tax.ts'
import { linesOrNull } from '../payment-lines.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { isReported, kindsAmong, type PayerFacts, refundReport, toPayer } from '../provider-objects.ts'
import { type Invoice, isTaken, type Refund, type Transaction } from './objects.ts'

type Paid = Transaction & { id: string }

/**
 * Returns the payment of a paid invoice, net and tax in proportion to what its transactions paid: the rest was credit,
 * which was paid before.
 */
export function toPayment(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const of = kindsAmong(objects)
  const [invoice] = of<Invoice>('invoice')
  const { taken, gross } = paidIn(objects)
  if (!invoice?.currency || gross <= 0 || !isReported(objects)) return null
  const { net, tax } = netOfTax(gross, { ...invoice, net: invoice.total - invoice.tax })
  return {
    ...toPayer([invoice, ...['subscription', 'account', 'redemptions'].flatMap((kind) => of<PayerFacts>(kind))]),
    externalId: key,
    amount: net,
    taxAmount: tax,
    grossAmount: gross,
    currency: invoice.currency,
    at: new Date(Math.max(...taken.map(({ at }) => at))),
    description: invoice.description,
    subscriptionId: invoice.subscription,
    lines: linesOrNull(invoice.lines),
    refunds: toRefunds(key, objects),
  }
}

export function toRefunds(_: string, objects: ProviderObject[]): ProviderPayment['refunds'] {
  return [
    ...kindsAmong(objects)<Refund>('refund').flatMap((one) => {
      const status = REFUND_STATUS[one.status]
      return status ? [refundReport('refund', one, status)] : []
    }),
    ...paidIn(objects).voided.map((one) => refundReport('refund', { ...one, reason: null }, 'succeeded')),
  ]
}

/** Results of refunds; one under way does not count yet. The bank's own is a chargeback that Recurly has recorded. */
const REFUND_STATUS: Record<string, 'succeeded' | 'failed'> = {
  success: 'succeeded',
  chargeback: 'succeeded',
  void: 'failed',
  declined: 'failed',
  error: 'failed',
}

/**
 * Returns the payments of an invoice whose money was taken. One that is voided before it settles is money given back,
 * unless another was made in its place.
 */
function paidIn(objects: ProviderObject[]): { taken: Paid[]; voided: Paid[]; gross: number } {
  const of = kindsAmong(objects)
  const taken = of<Transaction>('transaction').filter(isTaken)
  const isVoid = ({ status }: Transaction) => status === 'void'
  const kept = sumOf(taken.filter((one) => !isVoid(one)))
  const due = of<Invoice>('invoice')[0]?.due ?? Number.POSITIVE_INFINITY
  const gross = Math.max(kept, Math.min(sumOf(taken), due))
  let left = gross - kept
  const voided = taken.filter(isVoid).flatMap((one) => {
    const amount = Math.min(one.amount, left)
    left -= amount
    return amount > 0 ? [{ ...one, amount }] : []
  })
  return { taken, voided, gross }
}

const sumOf = (paid: Paid[]) => paid.reduce((all, { amount }) => all + amount, 0)
