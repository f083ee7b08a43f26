import { linesAddingUpTo } from '#contract/sales.ts'
import type { GatheredFacts, ProviderObject, ProviderPayment, StoredEvent } from '../provider.ts'
import { kindsAmong, type PayerFacts, providerObject, refundReport, toPayer } from '../provider-objects.ts'
import { fillInFacts, toFacts } from '../resolve-event.ts'
import { type Dispute, type Payment, parseEvent, type Refund } from './event.ts'

type Kept = Payment & { at: number }

/**
 * Gathers the facts of an event, which is complete; its object is identified by its own id. A payment of zero may be a
 * trial, or a correction.
 */
export function readFacts({ body, at }: StoredEvent): GatheredFacts {
  const event = parseEvent(body)
  const found = (key: string, kind: string, about: { id: string }, rank = 0, related: ProviderObject[] = []) => {
    const object = providerObject(kind, about.id, at, { ...about, at: at.getTime() }, { rank })
    return fillInFacts(toFacts(key, object, ...related), null)
  }
  if (event.type === 'refund') {
    const { refund } = event
    return found(refund.paymentId, 'refund', refund, REFUND_STAGES[refund.status])
  }
  if (event.type === 'dispute') {
    const { dispute } = event
    return found(dispute.paymentId, 'dispute', dispute, dispute.status === 'open' ? 0 : 1)
  }
  const { payment } = event
  // a correction is later than its payment: of these objects the earliest is kept
  const related = [providerObject('first', payment.id, at, { at: at.getTime() }, { rank: -at.getTime() })]
  // a correction may omit it
  const { subscriptionId } = payment
  if (subscriptionId !== null) related.push(providerObject('subscription', payment.id, at, { subscriptionId }))
  const seen = found(payment.id, 'payment', payment, 0, related)
  return grossOf(payment) === 0 ? { ...seen, prospect: toPayer([whoPaid(payment)]) } : seen
}

const REFUND_STAGES: Record<Refund['status'], number> = { pending: 0, succeeded: 1, failed: 2, canceled: 2 }

const grossOf = ({ amount, taxAmount, shippingAmount }: Payment) => amount + taxAmount + shippingAmount

const whoPaid = ({
  customerId,
  email,
  name,
  country = null,
  clickId,
  leadId,
  referralCode,
  promotionCode,
}: Payment): PayerFacts => ({
  customer: customerId,
  email,
  name,
  country,
  references: [clickId, leadId, referralCode].filter((value) => value !== null),
  promotionCodes: promotionCode ? [promotionCode] : [],
})

export function toPayment(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const ofKind = kindsAmong(objects)
  const of = <T>(kind: string) => ofKind<T & { at: number }>(kind)
  const [payment] = of<Kept>('payment')
  if (!payment) return null
  const { amount, taxAmount, currency, description } = payment
  const [first = payment] = of('first')
  const [subscription] = of<Pick<Payment, 'subscriptionId'>>('subscription')
  return {
    ...toPayer([whoPaid(payment)]),
    externalId: key,
    amount,
    taxAmount,
    grossAmount: grossOf(payment),
    currency,
    at: new Date(first.at),
    description,
    subscriptionId: payment.subscriptionId ?? subscription?.subscriptionId ?? null,
    lines: linesAddingUpTo(amount, payment.lines ?? [])!,
    refunds: toRefunds(key, objects, currency),
  }
}

export function toRefunds(_: string, objects: ProviderObject[], currency: string): ProviderPayment['refunds'] {
  const ofKind = kindsAmong(objects)
  const of = <T>(kind: string) => ofKind<T & { at: number }>(kind)
  const inCurrency = <R extends Refund | Dispute>(one: R) => ({ ...one, currency: one.currency ?? currency })
  return [
    ...of<Refund>('refund').map((one) => ({
      ...refundReport('refund', inCurrency(one), one.status),
      lines: one.lines,
    })),
    ...of<Dispute>('dispute').map((one) => ({
      ...refundReport('dispute', inCurrency(one), DISPUTE_STATUS[one.status]),
      // of two decisions the later one counts
      overturned: one.status !== 'open',
    })),
  ]
}

const DISPUTE_STATUS = { open: 'pending', lost: 'succeeded', won: 'failed' } as const
