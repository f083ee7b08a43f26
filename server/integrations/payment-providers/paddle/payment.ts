import { splitByShares } from '#contract/money.ts'
import { netOfTax } from '../net-of-tax.ts'
import { linesOrNull } from '../payment-lines.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { isReported, kindsAmong, type PayerFacts, refundReport, toPayer } from '../provider-objects.ts'
import type { Adjustment, PaddleTransaction } from './objects.ts'

type Adjusted = Adjustment & { id: string }

/**
 * Returns the payment of a completed transaction, less separately refunded tax, with the adjustments Paddle approved.
 * Credit for a later transaction moves no money: that one is charged less.
 */
export function toPayment(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const of = kindsAmong(objects)
  const [transaction] = of<PaddleTransaction>('transaction')
  if (!transaction?.completed || transaction.paid <= 0 || !isReported(objects)) return null

  const adjustments = of<Adjustment>('adjustment').toSorted((a, b) => a.at - b.at)
  const refunds = approvedRefunds(adjustments)
  const { paid, total, tax, currency } = transaction
  const parts = netOfTax(paid, { total, net: total - tax, tax })
  const own = refunds.filter((one) => !isOfTax(one))
  const { untaxed, amounts } = withoutTax(own, { alone: sumOf(refunds.filter(isOfTax)), net: parts.net, paid })
  return {
    ...toPayer([transaction, ...of<PayerFacts>('customer')]),
    externalId: key,
    amount: parts.net,
    taxAmount: Math.max(0, parts.tax - untaxed),
    grossAmount: Math.max(parts.net, paid - untaxed),
    currency,
    at: new Date(transaction.at),
    description: transaction.description,
    subscriptionId: transaction.subscription,
    lines: linesOrNull(transaction.lines),
    refunds: [
      ...own.map((one, place) => ({
        ...report('refund', one, 'succeeded'),
        amount: amounts[place]!,
        lines: one.lines,
      })),
      ...disputesOf(adjustments, sumOf(refunds) >= paid),
    ],
  }
}

export function toRefunds(_: string, objects: ProviderObject[]): ProviderPayment['refunds'] {
  const adjustments = kindsAmong(objects)<Adjustment>('adjustment')
  return [
    ...approvedRefunds(adjustments)
      .filter((one) => !isOfTax(one))
      .map((one) => ({ ...report('refund', one, 'succeeded'), lines: one.lines })),
    ...disputesOf(adjustments, false),
  ]
}

const approvedRefunds = (adjustments: Adjusted[]) =>
  adjustments.filter(({ action, status }) => action === 'refund' && status === 'approved')

/** Whether only the tax is refunded: a customer may enter their tax number later. */
const isOfTax = ({ subtotal, total }: Adjustment) => subtotal === 0 && total > 0

/**
 * Returns the tax refunded in all, and the amounts of the other refunds. Once tax is refunded alone, these are their
 * shares of the net amount: the tax in them is none of the payment's any more.
 */
function withoutTax(own: Adjusted[], { alone, net, paid }: { alone: number; net: number; paid: number }) {
  if (alone === 0) return { untaxed: 0, amounts: own.map(({ total }) => total) }
  const nets = own.map(({ subtotal }) => subtotal)
  const netOfAll = nets.reduce((all, one) => all + one, 0)
  const untaxed = alone + sumOf(own) - netOfAll
  const gross = Math.max(net, paid - untaxed)
  return { untaxed, amounts: splitByShares(gross, [...nets, Math.max(0, net - netOfAll)]) }
}

const sumOf = (adjustments: Adjustment[]) => adjustments.reduce((all, { total }) => all + total, 0)

const report = (kind: 'refund' | 'dispute', one: Adjusted, status: 'pending' | 'succeeded' | 'failed') =>
  refundReport(kind, { ...one, amount: one.total }, status)

/**
 * Returns disputes. A chargeback takes the money when reported. One that Paddle wins is reversed: by its own status, or
 * by an adjustment without a reference, which counts if only one chargeback is possible. A warning is a dispute that is
 * open until it is reversed, or the money is gone.
 */
function disputesOf(adjustments: Adjusted[], refunded: boolean): ProviderPayment['refunds'] {
  const settled = (action: string) =>
    adjustments.filter((one) => one.action === action && (one.status === 'approved' || one.status === 'reversed'))
  const withEnd = (action: string) => {
    const all = settled(action)
    const isReversed = all.length === 1 && settled(`${action}_reverse`).length > 0
    return all.map((one) => ({ one, isReversed: isReversed || one.status === 'reversed' }))
  }
  const chargebacks = withEnd('chargeback')
  const isOver = refunded || chargebacks.length > 0
  return [
    ...chargebacks.map(({ one, isReversed }) =>
      isReversed ? { ...report('dispute', one, 'failed'), overturned: true } : report('dispute', one, 'succeeded'),
    ),
    ...withEnd('chargeback_warning').map(({ one, isReversed }) =>
      report('dispute', one, isReversed || isOver ? 'failed' : 'pending'),
    ),
  ]
}
