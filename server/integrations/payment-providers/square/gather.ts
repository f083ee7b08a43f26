import { type ProviderJson, parseInteger, parseObject, parseTime } from '../parse-values.ts'
import type { ProviderObject } from '../provider.ts'
import { isRelatedRead, paymentReported, relatedRead } from '../provider-objects.ts'
import { createFactsReader, type EventFacts, type EventReading, type Readers, toFacts } from '../resolve-event.ts'
import { createSquareApi, type SquareApi } from './api.ts'
import {
  isCompleted,
  type Payment,
  parseId,
  readCustomer,
  readDispute,
  readInvoice,
  readOrder,
  readPayment,
  readRefund,
} from './objects.ts'

type SquareReading = EventReading<SquareApi>

const refundRead = ({ json, at }: SquareReading) => toFacts(parseId(json.payment_id), readRefund(json, at))
const disputeRead = ({ json, at }: SquareReading) =>
  toFacts(parseId(parseObject(json.disputed_payment).payment_id), readDispute(json, at))

/** The dispute event's name in old subscriptions. */
const FORMER = 'dispute.state.changed'

/** Sent only to applications, when a consent is withdrawn. */
const REVOKED = 'oauth.authorization.revoked'

const readers: Readers<SquareApi> = {
  'payment.created': paymentRead,
  'payment.updated': paymentRead,
  'refund.created': refundRead,
  'refund.updated': refundRead,
  'dispute.created': disputeRead,
  'dispute.state.updated': disputeRead,
  [FORMER]: disputeRead,
  [REVOKED]: () => ({ revoked: 'The seller revoked access in Square.' }),
}
export const eventTypes = Object.keys(readers)
export const subscribedTypes = eventTypes.filter((type) => type !== FORMER && type !== REVOKED)

/** A payment itself lacks its tax, and often its payer: both are read from Square once. */
export const readFacts = createFactsReader({
  readers,
  createApi: createSquareApi,
  objectIn({ data }, type) {
    // named by the type: `dispute.state.updated` has a `dispute`
    const json = parseObject(parseObject(parseObject(data).object)[type.split('.')[0]!])
    return type === REVOKED || parseId(json.id) || parseId(json.dispute_id) ? json : null
  },
  needed: true,
})

async function paymentRead(reading: SquareReading): Promise<EventFacts> {
  const { json, at } = reading
  const payment = readPayment(json, at)
  if (!isCompleted(json)) return toFacts(payment.id, payment)
  const related = await relatedTo(reading, payment)
  return toFacts(payment.id, payment, ...related, ...(reportsPayment(reading) ? [paymentReported(at)] : []))
}

/** Longest time until a payment completes, in milliseconds: a card is charged within a week, a bank may take longer. */
export const UNDER_WAY_MS = 30 * 86_400_000

/**
 * Whether an event reports a payment: a refund or a late fee also updates one, which must not make a sale of an old
 * payment.
 */
function reportsPayment({ json, type, at }: SquareReading): boolean {
  if (type === 'payment.created') return true
  const made = parseTime(json.created_at) ?? at
  return parseInteger(parseObject(json.refunded_money).amount) === 0 && at.getTime() - made.getTime() < UNDER_WAY_MS
}

async function relatedTo(
  { json, at, calls, stored }: SquareReading,
  payment: ProviderObject,
): Promise<ProviderObject[]> {
  const { order: orderId, customer } = payment.data as Payment
  if (isRelatedRead(await stored.listByPayment(payment.id))) return []
  const answered = orderId ? await calls.ask((api) => api.get(`orders/${encodeURIComponent(orderId)}`)) : null
  const order = answered && parseObject(answered.order)
  const customerId = customer ?? parseId(order?.customer_id)
  const [profile, invoices] = await Promise.all([
    customerId ? calls.ask((api) => api.get(`customers/${encodeURIComponent(customerId)}`)) : null,
    customerId && orderId && mayBeInvoiced(json) ? calls.ask((api) => api.invoices(json.location_id, customerId)) : [],
  ])
  return [
    ...(order ? [readOrder(order, at)] : []),
    ...(profile ? [readCustomer(parseObject(profile.customer), at)] : []),
    ...(invoices ?? []).filter(({ order_id }) => order_id === orderId).map((invoice) => readInvoice(invoice, at)),
    ...(calls.failure() ? [] : [relatedRead(at)]),
  ]
}

/** Products for counter sales or Square's own shop: their payments have no invoice. */
const COUNTERS = [
  'APPOINTMENTS',
  'ONLINE_STORE',
  'RESTAURANTS',
  'RETAIL',
  'SQUARE_POS',
  'TERMINAL_API',
  'VIRTUAL_TERMINAL',
]
const mayBeInvoiced = ({ application_details }: ProviderJson) =>
  !COUNTERS.includes(String(parseObject(application_details).square_product))
