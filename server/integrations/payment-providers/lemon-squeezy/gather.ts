import { jsonIn, object, type ProviderJson, whole } from '../parse-values.ts'
import { payerOf } from '../payer.ts'
import type {
  Credentials,
  GatheredFacts,
  ProviderAccess,
  ProviderAdapter,
  ProviderObject,
  StoredEvent,
} from '../provider.ts'
import { type ProviderCalls as AskingOf, createAsking, type EventFacts, gathered } from '../provider-calls.ts'
import { announcement } from '../provider-objects.ts'
import { createLemonSqueezyApi, type LemonSqueezyApi } from './api.ts'
import {
  carriedIn,
  groupOf,
  idOf,
  type LemonSqueezyBill,
  payerIn,
  readBeginning,
  readBill,
  readMark,
  readPassed,
  readRedeemed,
  readSubscription,
} from './objects.ts'

type Known = Parameters<ProviderAdapter['gather']>[3]
type Reading = {
  json: ProviderJson
  attributes: ProviderJson
  at: Date
  passed: ProviderObject[]
  asking: AskingOf<LemonSqueezyApi>
  known: Known
}

/** Readers by event type. Types not listed move no money. */
const readers: Record<string, (reading: Reading) => Promise<EventFacts>> = {
  order_created: (reading) => orderTold(reading, true),
  order_refunded: (reading) => orderTold(reading, false),
  subscription_created: subscriptionCreated,
  subscription_payment_success: (reading) => invoiceTold(reading, true),
  subscription_payment_refunded: (reading) => invoiceTold(reading, false),
}
export const eventTypes = Object.keys(readers)

/** Gathers an event's facts, completed by the subscription that an order began and the codes entered. */
export async function gather(
  event: StoredEvent,
  credentials: Credentials | null,
  reach: ProviderAccess,
  known: Known,
): Promise<GatheredFacts> {
  const asking = createAsking(credentials && createLemonSqueezyApi(credentials, reach), reach)
  const { meta, data } = object(jsonIn(event.body))
  const { at } = event
  const json = object(data)
  const passed = readPassed(object(meta).custom_data, at)
  const told = await readers[event.type]?.({ json, attributes: object(json.attributes), at, passed, asking, known })
  const failure = asking.failure()
  return gathered(told, failure && { error: failure, needed: true })
}

async function orderTold({ json, attributes, at, passed, asking }: Reading, isNew: boolean): Promise<EventFacts> {
  const order = readBill('orders', json, at)
  const filter = new URLSearchParams({ 'filter[order_id]': order.id })
  const begun = (await asking.ask((api) => api.page(`subscriptions?${filter}`)))?.rows ?? []
  const subscriptions = begun.map((row) => readSubscription(row, at)).slice(0, 1)
  const isCheaper = whole(attributes.discount_total) > 0
  const codes = isCheaper ? await asking.ask((api) => api.page(`discount-redemptions?${filter}`)) : null
  const carried = [...passed, ...readRedeemed(codes?.rows ?? [], at)]
  const objects = [
    ...[order, ...carried, ...readMark(json, at)],
    ...subscriptions.map(({ id }) => readBeginning(id, at)),
    ...(isNew ? [announcement(at)] : []),
  ]
  const { total } = order.data as LemonSqueezyBill
  return {
    shared: subscriptions.map((subscription) => shared(subscription, passed)),
    sightings: [{ key: `orders/${order.id}`, aliases: [], objects }],
    newcomer: isNew && total === 0 ? payerWith(attributes, carried) : null,
  }
}

const shared = (subscription: ProviderObject, passed: ProviderObject[]) => ({
  ...{ group: groupOf(subscription.id), objects: [subscription, ...passed] },
})

const payerWith = (attributes: ProviderJson, carried: ProviderObject[]) =>
  payerOf([payerIn(attributes), ...carriedIn(carried)])

/** Reads a trial, which begins before any payment. */
async function subscriptionCreated({ json, attributes, at, passed }: Reading): Promise<EventFacts> {
  const subscription = readSubscription(json, at)
  const order = idOf(attributes.order_id)
  const objects = [readBeginning(subscription.id, at), ...passed]
  return {
    shared: [shared(subscription, passed)],
    sightings: order ? [{ key: `orders/${order}`, aliases: [], objects }] : [],
    newcomer: payerWith(attributes, passed),
  }
}

async function invoiceTold(reading: Reading, isNew: boolean): Promise<EventFacts> {
  const { json, attributes, at, passed } = reading
  const invoice = readBill('subscription-invoices', json, at)
  const key =
    attributes.billing_reason === 'initial' ? await orderOf(attributes, reading) : `${invoice.kind}/${invoice.id}`
  if (!key) return {}
  const objects = [invoice, ...passed, ...readMark(json, at), ...(isNew ? [announcement(at)] : [])]
  return { sightings: [{ key, aliases: [], objects }] }
}

/** Finds the order that a subscription began with: both report the first payment, which is one payment. */
async function orderOf({ subscription_id }: ProviderJson, { asking, known }: Reading): Promise<string | null> {
  const id = idOf(subscription_id)
  if (!id) return null
  const kept = await known.keyOf('beginning', id)
  if (kept) return kept
  const { data } = (await asking.ask((api) => api.get(`subscriptions/${encodeURIComponent(id)}`))) ?? {}
  const order = idOf(object(object(data).attributes).order_id)
  return order && `orders/${order}`
}
