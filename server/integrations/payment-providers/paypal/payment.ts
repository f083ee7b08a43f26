import { netOfTax } from '../net-of-tax.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { kindsAmong, type PayerFacts, refundReport, toPayer } from '../provider-objects.ts'
import type { Dispute, Money, Order, Payment, Refund } from './objects.ts'

type Report = ProviderPayment['refunds'][number]
type Set = ReturnType<typeof sorted>
type Given = Refund & { id: string }

/** Sorts objects by kind, independent of the order of arrival. */
function sorted(objects: ProviderObject[]) {
  const of = kindsAmong(objects)
  return {
    payment: of<Payment>('payment').find(({ taken }) => taken),
    order: of<Order>('order')[0],
    subscriptions: of<PayerFacts>('subscription'),
    refunds: of<Refund>('refund'),
    reversals: of<Refund>('reversal'),
    disputes: of<Dispute>('dispute'),
  }
}

/**
 * Returns the payment shown by these objects, or null while nothing is paid. Its tax and shipping are in the order, of
 * which a capture may be a part; a subscription's sale contains them itself.
 */
export function toPayment(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const set = sorted(objects)
  const { payment, order } = set
  if (!payment || payment.amount <= 0 || !payment.currency) return null
  const { amount: gross, currency, tax, shipping } = payment
  const bill = order?.currency === currency ? order : { total: gross, tax, shipping }
  const shares = netOfTax(gross, { ...bill, net: bill.total - bill.tax - bill.shipping })
  return {
    ...toPayer([payment, ...(order ? [order] : []), ...set.subscriptions]),
    externalId: key,
    amount: shares.net,
    taxAmount: shares.tax,
    grossAmount: gross,
    currency,
    at: new Date(payment.at),
    description: order?.description ?? payment.description,
    subscriptionId: payment.subscription,
    lines: null,
    refunds: toReports(key, set),
  }
}

export const toRefunds = (key: string, objects: ProviderObject[]) => toReports(key, sorted(objects))

/**
 * Returns refunds and disputes. The money of a dispute may be reported more than once: as a reversal while it is open,
 * and finally as the refund that settled it, maybe of less. The dispute then has all of it.
 */
function toReports(key: string, { refunds, reversals, disputes }: Set): Report[] {
  const notIn = (
    given: Given[],
    moneyOf: (dispute: Dispute) => Money,
    isOf = (_: Dispute, _refund: Refund) => true,
  ) => {
    const cases = disputes.map((dispute) => ({ dispute, left: { ...moneyOf(dispute) } }))
    return given.filter((refund) => {
      const of = cases.find(({ dispute, left }) => isOf(dispute, refund) && covers(left, refund))
      if (of) of.left.amount -= refund.amount
      return of === undefined
    })
  }
  return [
    ...notIn(reversals, (dispute) => dispute).map(ofRefund),
    ...notIn(refunds, amountOf, isSettlement).map(ofRefund),
    ...disputes.map((dispute) => disputeReport(key, dispute)),
  ]
}

const covers = (left: Money, { amount, currency }: Money) => left.currency === currency && left.amount >= amount

const isSettlement = (dispute: Dispute, refund: Refund) =>
  isLost(dispute) && dispute.refunded?.amount === refund.amount && refund.at > dispute.at

const REFUND_STATUS: Record<string, Report['status']> = {
  pending: 'pending',
  failed: 'failed',
  cancelled: 'canceled',
  canceled: 'canceled',
}

const ofRefund = (refund: Given): Report => refundReport('refund', refund, REFUND_STATUS[refund.status] ?? 'succeeded')

/** With `RESOLVED_WITH_PAYOUT` PayPal itself pays the buyer. */
const LOST = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED']
const isLost = ({ isOver, outcome }: Dispute) => isOver && LOST.includes(outcome)

/** Returns the amount of a dispute, which may end with a smaller refund than disputed. */
const amountOf = (dispute: Dispute): Money =>
  isLost(dispute) && dispute.refunded && dispute.refunded.amount > 0 ? dispute.refunded : dispute

function disputeReport(key: string, dispute: Dispute & { id: string }): Report {
  const { isOver } = dispute
  const { amount, currency } = amountOf(dispute)
  const name = dispute.isOneOfSeveral ? `${dispute.id}:${key}` : dispute.id
  // another amount is another report, so that the sale reverses the former one
  const id = amount === dispute.amount ? name : `${name}:${amount}`
  const status = isOver ? (isLost(dispute) ? 'succeeded' : 'failed') : 'pending'
  return {
    ...refundReport('dispute', { ...dispute, id, amount, currency }, status),
    // an appealed case is resolved again, for either side
    overturned: isOver,
  }
}
