import { type ProviderJson, parseObject, parseText } from '../parse-values.ts'
import { PaymentProviderError } from '../provider.ts'
import { isRelatedRead, type PayerFacts, relatedRead, toPayer } from '../provider-objects.ts'
import {
  createFactsReader,
  type EventFacts,
  type EventReading,
  type ProviderCalls,
  type Readers,
  toFacts,
} from '../resolve-event.ts'
import { createPaypalApi, type PaypalApi } from './api.ts'
import {
  linkedId,
  type Payment,
  readDispute,
  readOlderPayment,
  readOrder,
  readPayment,
  readRefund,
  readSubscription,
} from './objects.ts'

type PaypalReading = EventReading<PaypalApi>

const refundRead = (reading: PaypalReading) => readReturn('refund', reading)
const reversalRead = (reading: PaypalReading) => readReturn('reversal', reading)

const readers: Readers<PaypalApi> = {
  'PAYMENT.CAPTURE.COMPLETED': captureRead,
  'PAYMENT.CAPTURE.REFUNDED': refundRead,
  'PAYMENT.CAPTURE.REVERSED': reversalRead,
  'PAYMENT.SALE.COMPLETED': saleRead,
  'PAYMENT.SALE.REFUNDED': refundRead,
  'PAYMENT.SALE.REVERSED': reversalRead,
  'CUSTOMER.DISPUTE.CREATED': disputeRead,
  'CUSTOMER.DISPUTE.UPDATED': disputeRead,
  'CUSTOMER.DISPUTE.RESOLVED': disputeRead,
  'BILLING.SUBSCRIPTION.CREATED': subscriptionRead,
  'BILLING.SUBSCRIPTION.ACTIVATED': subscriptionRead,
}

/** States of a pending refund; not every PayPal account has their events. */
const REFUNDS = ['PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'].map((end) => `PAYMENT.REFUND.${end}`)
for (const type of REFUNDS) readers[type] = refundRead

export const eventTypes = Object.keys(readers)
/** Event types available to every account. */
export const ordinaryTypes = eventTypes.filter((type) => !REFUNDS.includes(type))

/** A capture itself contains neither tax nor payer: they are read from PayPal. */
export const readFacts = createFactsReader({
  readers,
  createApi: createPaypalApi,
  objectIn: ({ resource }) => (resource ? parseObject(resource) : null),
  needed: false,
})

const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`

/** Requests an object that one version of PayPal's API has, or else the other: only missing in both is it missing. */
const getEither = (api: PaypalApi, id: string, [one, other]: [string, string]) =>
  api.get(at(one, id)).catch((error: unknown) => {
    if (error instanceof PaymentProviderError && error.kind === 'missing') return api.get(at(other, id))
    throw error
  })

async function captureRead({ json, at, calls, stored }: PaypalReading): Promise<EventFacts> {
  const capture = readPayment(json, at)
  if (!capture.id || !(capture.data as Payment).taken) return {}
  const isKnown = isRelatedRead(await stored.listByPayment(capture.id))
  const order = isKnown ? null : await orderOf(json, calls)
  const objects = order ? readOrder(order, capture.id, at) : null
  const surroundings = isKnown || calls.failure() ? [] : [relatedRead(at)]
  return { ...toFacts(capture.id, capture, ...(objects ? [objects] : []), ...surroundings), needed: true }
}

/** Finds the order of a capture; older ones refer to it only through their authorization. */
async function orderOf(capture: ProviderJson, calls: ProviderCalls<PaypalApi>): Promise<ProviderJson | null> {
  const related = (json: ProviderJson) => parseObject(parseObject(json.supplementary_data).related_ids)
  const orderIn = (json: ProviderJson) =>
    parseText(related(json).order_id) ?? linkedId(json, /\/checkout\/orders\/([^/?]+)/)
  const authorization = parseText(related(capture).authorization_id) ?? linkedId(capture, /\/authorizations\/([^/?]+)/)
  let id = orderIn(capture)
  if (!id && authorization) {
    const details = await calls.ask((api) => api.get(at('v2/payments/authorizations', authorization)))
    id = details && orderIn(details)
  }
  return id ? calls.ask((api) => api.get(at('v2/checkout/orders', id))) : null
}

async function saleRead({ json, at: when, calls, stored }: PaypalReading): Promise<EventFacts> {
  const sale = readPayment(json, when)
  const { taken, subscription } = sale.data as Payment
  if (!sale.id || !taken) return {}
  const shared = subscription ? await subscriptionOf(subscription, { at: when, calls, stored }) : null
  const payment = subscription ? null : parseText(json.parent_payment)
  const isKnown = isRelatedRead(await stored.listByPayment(sale.id))
  const older = payment && !isKnown ? await calls.ask((api) => api.get(at('v1/payments/payment', payment))) : null
  const surroundings = isKnown || calls.failure() ? [] : [relatedRead(when)]
  const objects = [sale, ...(older ? [readOlderPayment(older, sale.id, when)] : []), ...surroundings]
  return {
    ...toFacts(sale.id, ...objects),
    shared: subscription && shared ? [{ group: subscription, objects: [shared] }] : [],
    needed: true,
  }
}

/** Finds the subscriber, requested once. */
async function subscriptionOf(id: string, { at: when, calls, stored }: Pick<PaypalReading, 'at' | 'calls' | 'stored'>) {
  const kept = (await stored.listByPayment(id)).find(({ kind }) => kind === 'subscription')
  if (kept && (kept.data as PayerFacts).customer) return null
  const details = await calls.ask((api) =>
    getEither(api, id, ['v1/billing/subscriptions', 'v1/payments/billing-agreements']),
  )
  return details && readSubscription({ ...details, id }, when)
}

async function subscriptionRead({ json, at }: PaypalReading): Promise<EventFacts> {
  const subscription = readSubscription(json, at)
  if (!subscription.id) return {}
  const prospect = toPayer([subscription.data as PayerFacts])
  return { shared: [{ group: subscription.id, objects: [subscription] }], prospect }
}

/** Reads a refund with its payment, which some forms contain only when requested; a reversal may be the sale itself. */
async function readReturn(
  kind: 'refund' | 'reversal',
  { json, at: when, calls, stored }: PaypalReading,
): Promise<EventFacts> {
  const refund = readRefund(kind, json, when)
  if (!refund.id) return {}
  const named = paymentNamedBy(json) ?? (await stored.findPaymentKey(kind, refund.id))
  if (named) return toFacts(named, refund)
  const details = await calls.ask((api) => getEither(api, refund.id, ['v1/payments/refund', 'v2/payments/refunds']))
  const key = details && paymentNamedBy(details)
  return key ? toFacts(key, refund) : { needed: true }
}

const paymentNamedBy = (refund: ProviderJson) =>
  parseText(refund.capture_id) ??
  parseText(refund.sale_id) ??
  linkedId(refund, /\/payments\/(?:captures?|sale)\/([^/?]+)$/) ??
  // a state of sales alone
  (refund.state === 'reversed' ? parseText(refund.id) : null)

async function disputeRead({ json, at: when, calls }: PaypalReading): Promise<EventFacts> {
  const id = parseText(json.dispute_id)
  const contested = readDispute(json, when)
  const details =
    id && contested.length === 0 ? await calls.ask((api) => api.get(at('v1/customer/disputes', id))) : null
  const disputes = details ? readDispute(details, when) : contested
  return { payments: disputes.map(({ key, object }) => ({ key, objects: [object] })), needed: true }
}
