import { jsonIn, object, type ProviderJson, text } from '../parse-values.ts'
import { payerOf } from '../payer.ts'
import type {
  Credentials,
  GatheredFacts,
  ProviderAccess,
  ProviderAdapter,
  ProviderObject,
  Sighting,
  StoredEvent,
} from '../provider.ts'
import {
  type EventFacts as AnyTold,
  type ProviderCalls as AskingOf,
  createAsking,
  gathered,
} from '../provider-calls.ts'
import { contextRead } from '../provider-objects.ts'
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
  type Subscription,
} from './objects.ts'

type Known = Parameters<ProviderAdapter['gather']>[3]
type Asking = AskingOf<PaypalApi>
type Reading = { json: ProviderJson; at: Date; asking: Asking; known: Known }
type Told = AnyTold & { needed?: boolean }

const refundTold = (reading: Reading) => givenBack('refund', reading)
const reversalTold = (reading: Reading) => givenBack('reversal', reading)

/** Readers by event type. Types not listed move no money. */
const readers: Record<string, (reading: Reading) => Promise<Told>> = {
  'PAYMENT.CAPTURE.COMPLETED': captureTold,
  'PAYMENT.CAPTURE.REFUNDED': refundTold,
  'PAYMENT.CAPTURE.REVERSED': reversalTold,
  'PAYMENT.SALE.COMPLETED': saleTold,
  'PAYMENT.SALE.REFUNDED': refundTold,
  'PAYMENT.SALE.REVERSED': reversalTold,
  'CUSTOMER.DISPUTE.CREATED': disputeTold,
  'CUSTOMER.DISPUTE.UPDATED': disputeTold,
  'CUSTOMER.DISPUTE.RESOLVED': disputeTold,
  'BILLING.SUBSCRIPTION.CREATED': subscriptionTold,
  'BILLING.SUBSCRIPTION.ACTIVATED': subscriptionTold,
}

/** States of a pending refund; not every PayPal account has their events. */
const REFUNDS = ['PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'].map((end) => `PAYMENT.REFUND.${end}`)
for (const type of REFUNDS) readers[type] = refundTold

export const eventTypes = Object.keys(readers)
/** Event types available to every account. */
export const ordinaryTypes = eventTypes.filter((type) => !REFUNDS.includes(type))

/** Gathers an event's facts, completed by PayPal's answers: a capture itself contains neither tax nor payer. */
export async function gather(
  event: StoredEvent,
  credentials: Credentials | null,
  reach: ProviderAccess,
  known: Known,
): Promise<GatheredFacts> {
  const asking = createAsking(credentials && createPaypalApi(credentials, reach), reach)
  const json = object(jsonIn(event.body)).resource
  const reading = { json: object(json), at: event.at, asking, known }
  const told = json ? await readers[event.type]?.(reading) : undefined
  const failure = asking.failure()
  return gathered(told, failure && { error: failure, needed: told?.needed ?? false })
}

const found = (key: string, objects: ProviderObject[]): Sighting => ({ key, aliases: [], objects })
const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`

async function captureTold({ json, at, asking, known }: Reading): Promise<Told> {
  const capture = readPayment(json, at)
  if (!capture.id || !(capture.data as Payment).taken) return {}
  const isKnown = await isContextKnown(known, capture.id)
  const order = isKnown ? null : await orderOf(json, asking)
  const objects = order ? readOrder(order, capture.id, at) : null
  const surroundings = isKnown || asking.failure() ? [] : [contextRead(at)]
  return {
    sightings: [found(capture.id, [capture, ...(objects ? [objects] : []), ...surroundings])],
    needed: true,
  }
}

const isContextKnown = async (known: Known, key: string) => (await known.of(key)).some(({ kind }) => kind === 'context')

/** Finds the order of a capture; older ones refer to it only through their authorization. */
async function orderOf(capture: ProviderJson, asking: Asking): Promise<ProviderJson | null> {
  const related = (json: ProviderJson) => object(object(json.supplementary_data).related_ids)
  const orderIn = (json: ProviderJson) => text(related(json).order_id) ?? linkedId(json, /\/checkout\/orders\/([^/?]+)/)
  const authorization = text(related(capture).authorization_id) ?? linkedId(capture, /\/authorizations\/([^/?]+)/)
  let id = orderIn(capture)
  if (!id && authorization) {
    const asked = await asking.ask((api) => api.get(at('v2/payments/authorizations', authorization)))
    id = asked && orderIn(asked)
  }
  return id ? asking.ask((api) => api.get(at('v2/checkout/orders', id))) : null
}

async function saleTold({ json, at: when, asking, known }: Reading): Promise<Told> {
  const sale = readPayment(json, when)
  const { taken, subscription } = sale.data as Payment
  if (!sale.id || !taken) return {}
  const shared = subscription ? await subscriptionOf(subscription, { at: when, asking, known }) : null
  const payment = subscription ? null : text(json.parent_payment)
  const isKnown = await isContextKnown(known, sale.id)
  const older = payment && !isKnown ? await asking.ask((api) => api.get(at('v1/payments/payment', payment))) : null
  const surroundings = isKnown || asking.failure() ? [] : [contextRead(when)]
  const objects = [sale, ...(older ? [readOlderPayment(older, sale.id, when)] : []), ...surroundings]
  return {
    sightings: [found(sale.id, objects)],
    shared: subscription && shared ? [{ group: subscription, objects: [shared] }] : [],
    needed: true,
  }
}

/** Finds the subscriber, requested once. */
async function subscriptionOf(id: string, { at: when, asking, known }: Omit<Reading, 'json'>) {
  const kept = (await known.of(id)).find(({ kind }) => kind === 'subscription')
  if (kept && (kept.data as Subscription).customer) return null
  const asked =
    (await asking.ask((api) => api.get(at('v1/billing/subscriptions', id)))) ??
    (asking.failure() ? null : await asking.ask((api) => api.get(at('v1/payments/billing-agreements', id))))
  return asked && readSubscription({ ...asked, id }, when)
}

async function subscriptionTold({ json, at }: Reading): Promise<Told> {
  const subscription = readSubscription(json, at)
  if (!subscription.id) return {}
  const newcomer = payerOf([subscription.data as Subscription])
  return { shared: [{ group: subscription.id, objects: [subscription] }], newcomer }
}

/** Reads a refund with its payment, which some forms contain only when requested. */
async function givenBack(kind: 'refund' | 'reversal', { json, at: when, asking, known }: Reading): Promise<Told> {
  const refund = readRefund(kind, json, when)
  if (!refund.id) return {}
  const named = paymentNamedBy(json) ?? (await known.keyOf(kind, refund.id))
  if (named) return { sightings: [found(named, [refund])] }
  const asked =
    (await asking.ask((api) => api.get(at('v1/payments/refund', refund.id)))) ??
    (asking.failure() ? null : await asking.ask((api) => api.get(at('v2/payments/refunds', refund.id))))
  const key = asked && paymentNamedBy(asked)
  return key ? { sightings: [found(key, [refund])] } : { needed: true }
}

const paymentNamedBy = (refund: ProviderJson) =>
  text(refund.capture_id) ?? text(refund.sale_id) ?? linkedId(refund, /\/payments\/(?:captures?|sale)\/([^/?]+)$/)

async function disputeTold({ json, at: when, asking }: Reading): Promise<Told> {
  const id = text(json.dispute_id)
  const contested = readDispute(json, when)
  const asked = id && contested.length === 0 ? await asking.ask((api) => api.get(at('v1/customer/disputes', id))) : null
  const disputes = asked ? readDispute(asked, when) : contested
  return { sightings: disputes.map(({ key, object }) => found(key, [object])), needed: true }
}
