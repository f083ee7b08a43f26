import { splitByShares } from '#contract/money.ts'
import { netOfTax } from '../net-of-tax.ts'
import { linesOrNull } from '../payment-lines.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { isReported, kindsAmong, type PayerFacts, refundReport, toPayer } from '../provider-objects.ts'
import {
  type ChargebeeInvoice,
  type ChargebeeTransaction,
  isPaid,
  type Part,
  type Returned,
  toPaymentKey,
} from './objects.ts'

/**
 * Returns a transaction's payment of an invoice: what it applied to it, of which the net is the share of the invoice's,
 * after the earlier payments'. One that is not applied any more, or turned out to have failed, is a payment of zero.
 */
export function toPayment(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const of = kindsAmong(objects)
  const [transaction] = of<ChargebeeTransaction>('transaction')
  const [invoice] = of<ChargebeeInvoice>('invoice')
  if (!transaction?.currency || !invoice || !isReported(objects)) return null
  const { total, tax, before } = invoice
  const gross = isPaid(transaction) ? (transaction.parts.find(isOf(key, transaction))?.amount ?? 0) : 0
  const upTo = (paid: number) => netOfTax(paid, { total, net: total - tax, tax }).net
  const net = Math.min(gross, Math.max(0, upTo(before + gross) - upTo(before)))
  const isAlone = of('name').some(({ id }) => id === transaction.id)
  return {
    ...toPayer([...of<PayerFacts>('subscription'), ...of<PayerFacts>('customer'), invoice]),
    externalId: isAlone ? transaction.id : key,
    amount: net,
    taxAmount: gross - net,
    grossAmount: gross,
    currency: transaction.currency,
    at: new Date(transaction.at),
    description: invoice.description,
    subscriptionId: invoice.subscription,
    lines: linesOrNull(invoice.lines),
    refunds: toRefunds(key, objects),
  }
}

const isOf =
  (key: string, { id }: { id: string }) =>
  ({ invoice }: Part) =>
    toPaymentKey(id, invoice) === key

/**
 * Returns the parts of refunds and reversals that are this invoice's: by their credit notes; what none names is of the
 * amount that was applied to no invoice, and then of all invoices in proportion.
 */
export function toRefunds(key: string, objects: ProviderObject[]): ProviderPayment['refunds'] {
  const of = kindsAmong(objects)
  const [transaction] = of<ChargebeeTransaction>('transaction')
  const parts = transaction?.parts ?? []
  const place = transaction ? parts.findIndex(isOf(key, transaction)) : -1
  if (!transaction || place < 0) return []
  const applied = parts.map(({ amount }) => amount)
  let unused = Math.max(0, transaction.amount - sum(applied))
  const share = (one: Returned): number => {
    const named = parts.map(({ invoice }) => sum(one.parts.filter((part) => part.invoice === invoice).map(amountOf)))
    if (sum(named) >= one.amount) return splitByShares(one.amount, named)[place]!
    const rest = one.amount - sum(named)
    const ofUnused = REFUND_STATUS[one.status] === 'succeeded' ? Math.min(rest, unused) : 0
    unused -= ofUnused
    return named[place]! + splitByShares(rest - ofUnused, applied)[place]!
  }
  const reports = (kind: 'refund' | 'reversal') =>
    of<Returned>(kind)
      .toSorted((one, other) => one.at - other.at)
      .map((one) => ({ ...one, amount: share(one) }))
  return [
    ...reports('refund').flatMap((one) => {
      const status = REFUND_STATUS[one.status]
      return status ? [refundReport('refund', one, status)] : []
    }),
    ...reports('reversal').map((one) => {
      const status = REFUND_STATUS[one.status] ?? 'pending'
      return { ...refundReport('dispute', one, status), ...(status === 'failed' && { overturned: true }) }
    }),
  ]
}

const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0)
const amountOf = ({ amount }: Part) => amount

/** Results of refunds and reversals; one in progress is none yet. */
const REFUND_STATUS: Record<string, 'succeeded' | 'failed'> = {
  success: 'succeeded',
  failure: 'failed',
  voided: 'failed',
  timeout: 'failed',
  late_failure: 'failed',
  deleted: 'failed',
}
