import { type ProviderJson, parseInteger, parseObject } from '../parse-values.ts'
import type { ProviderObject } from '../provider.ts'
import { paymentReported, toPayer } from '../provider-objects.ts'
import { createFactsReader, type EventFacts, type EventReading, type Readers, toFacts } from '../resolve-event.ts'
import { createLemonSqueezyApi, type LemonSqueezyApi } from './api.ts'
import {
  carriedIn,
  type LemonSqueezyBill,
  parseId,
  payerIn,
  readBeginning,
  readBill,
  readMark,
  readPassed,
  readRedeemed,
  readSubscription,
  type Subscription,
  subscriptionGroup,
} from './objects.ts'

type LemonReading = EventReading<LemonSqueezyApi>

const readers: Readers<LemonSqueezyApi> = {
  order_created: (reading) => orderRead(reading, true),
  order_refunded: (reading) => orderRead(reading, false),
  subscription_created: subscriptionCreated,
  subscription_payment_success: (reading) => invoiceRead(reading, true),
  subscription_payment_refunded: (reading) => invoiceRead(reading, false),
}
export const eventTypes = Object.keys(readers)

/** An order is completed by the subscription it began and the codes entered. */
export const readFacts = createFactsReader({
  readers,
  createApi: createLemonSqueezyApi,
  objectIn: ({ data }) => parseObject(data),
  needed: true,
})

const passedIn = ({ body, at }: LemonReading) => readPassed(parseObject(body.meta).custom_data, at)

async function orderRead(reading: LemonReading, isNew: boolean): Promise<EventFacts> {
  const { json, at, calls } = reading
  const attributes = parseObject(json.attributes)
  const passed = passedIn(reading)
  const order = readBill('orders', json, at)
  const filter = new URLSearchParams({ 'filter[order_id]': order.id })
  const begun = (await calls.ask((api) => api.page(`subscriptions?${filter}`)))?.rows ?? []
  const subscriptions = begun.map((row) => readSubscription(row, at)).slice(0, 1)
  const isCheaper = parseInteger(attributes.discount_total) > 0
  const codes = isCheaper ? await calls.ask((api) => api.page(`discount-redemptions?${filter}`)) : null
  const carried = [...passed, ...readRedeemed(codes?.rows ?? [], at)]
  const objects = [
    ...[order, ...carried, ...readMark(json, at)],
    ...subscriptions.map(({ id }) => readBeginning(id, at)),
    ...(isNew ? [paymentReported(at)] : []),
  ]
  const { total } = order.data as LemonSqueezyBill
  return {
    shared: subscriptions.map((subscription) => shared(subscription, passed)),
    ...toFacts(`orders/${order.id}`, ...objects),
    prospect: isNew && total === 0 ? payerWith(attributes, carried) : null,
  }
}

const shared = (subscription: ProviderObject, passed: ProviderObject[]) => ({
  group: subscriptionGroup(subscription.id),
  objects: [subscription, ...passed],
})

const payerWith = (attributes: ProviderJson, carried: ProviderObject[]) =>
  toPayer([payerIn(attributes), ...carriedIn(carried)])

/** Reads a trial, which begins before any payment. */
function subscriptionCreated(reading: LemonReading): EventFacts {
  const { json, at } = reading
  const attributes = parseObject(json.attributes)
  const passed = passedIn(reading)
  const subscription = readSubscription(json, at)
  const order = parseId(attributes.order_id)
  const objects = [readBeginning(subscription.id, at), ...passed]
  return {
    shared: [shared(subscription, passed)],
    ...toFacts(order && `orders/${order}`, ...objects),
    prospect: payerWith(attributes, passed),
  }
}

async function invoiceRead(reading: LemonReading, isNew: boolean): Promise<EventFacts> {
  const { json, at } = reading
  const attributes = parseObject(json.attributes)
  const isInitial = attributes.billing_reason === 'initial'
  const invoice = readBill('subscription-invoices', json, at)
  const key = isInitial ? await orderOf(attributes, reading) : `${invoice.kind}/${invoice.id}`
  const reported = isNew ? [paymentReported(at)] : []
  const subscription = isInitial ? null : await itemOf(attributes, reading)
  return {
    shared: subscription ? [shared(subscription, [])] : [],
    ...toFacts(key, invoice, ...passedIn(reading), ...readMark(json, at), ...reported),
  }
}

/** Requests the subscription of an invoice, the only source of its product, unless it is known. */
async function itemOf({ subscription_id }: ProviderJson, { at, lineCalls, stored }: LemonReading) {
  const id = parseId(subscription_id)
  if (!id) return null
  const known = await stored.listByPayment(subscriptionGroup(id))
  if (known.some(({ kind, data }) => kind === 'subscription' && (data as Subscription).item)) return null
  const { data } = (await lineCalls.ask((api) => api.get(`subscriptions/${encodeURIComponent(id)}`))) ?? {}
  return data ? readSubscription(parseObject(data), at) : null
}

/** Finds the order that a subscription began with: both report the first payment, which is one payment. */
async function orderOf({ subscription_id }: ProviderJson, { calls, stored }: LemonReading): Promise<string | null> {
  const id = parseId(subscription_id)
  if (!id) return null
  const kept = await stored.findPaymentKey('beginning', id)
  if (kept) return kept
  const { data } = (await calls.ask((api) => api.get(`subscriptions/${encodeURIComponent(id)}`))) ?? {}
  const order = parseId(parseObject(parseObject(data).attributes).order_id)
  return order && `orders/${order}`
}
