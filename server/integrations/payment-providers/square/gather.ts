import { jsonIn, moment, object, type ProviderJson, whole } from '../parse-values.ts'
import type {
  Credentials,
  GatheredFacts,
  ProviderAccess,
  ProviderAdapter,
  ProviderObject,
  StoredEvent,
} from '../provider.ts'
import { type ProviderCalls as AskingOf, createAsking, type EventFacts, gathered } from '../provider-calls.ts'
import { announcement, contextRead } from '../provider-objects.ts'
import { createSquareApi, type SquareApi } from './api.ts'
import {
  idOf,
  isCompleted,
  type Payment,
  readCustomer,
  readDispute,
  readInvoice,
  readOrder,
  readPayment,
  readRefund,
} from './objects.ts'

type Known = Parameters<ProviderAdapter['gather']>[3]
type Reading = { json: ProviderJson; type: string; at: Date; asking: AskingOf<SquareApi>; known: Known }

const about = (key: string | null, ...objects: ProviderObject[]): EventFacts => ({
  sightings: key ? [{ key, aliases: [], objects }] : [],
})
const refundTold = ({ json, at }: Reading) => about(idOf(json.payment_id), readRefund(json, at))
const disputeTold = ({ json, at }: Reading) =>
  about(idOf(object(json.disputed_payment).payment_id), readDispute(json, at))

/** The dispute event's name in old subscriptions. */
const FORMER = 'dispute.state.changed'

/** Readers by event type, with the key of the event's object. */
const readers: Record<string, { of: string; read: (reading: Reading) => EventFacts | Promise<EventFacts> }> = {
  'payment.created': { of: 'payment', read: paymentTold },
  'payment.updated': { of: 'payment', read: paymentTold },
  'refund.created': { of: 'refund', read: refundTold },
  'refund.updated': { of: 'refund', read: refundTold },
  'dispute.created': { of: 'dispute', read: disputeTold },
  'dispute.state.updated': { of: 'dispute', read: disputeTold },
  [FORMER]: { of: 'dispute', read: disputeTold },
}
/** Sent only to applications, when a consent is withdrawn. */
const REVOKED = 'oauth.authorization.revoked'

export const eventTypes = [...Object.keys(readers), REVOKED]
export const subscribedTypes = Object.keys(readers).filter((type) => type !== FORMER)

/** Gathers an event's facts. A payment itself lacks its tax, and often its payer: both are requested once. */
export async function gather(
  { type, at, body }: StoredEvent,
  credentials: Credentials | null,
  reach: ProviderAccess,
  known: Known,
): Promise<GatheredFacts> {
  const asking = createAsking(credentials && createSquareApi(credentials, reach), reach)
  const reader = readers[type]
  const json = object(object(object(jsonIn(body)?.data).object)[reader?.of ?? ''])
  const told =
    (idOf(json.id) ?? idOf(json.dispute_id)) ? await reader?.read({ json, type, at, asking, known }) : undefined
  const failure = asking.failure()
  return gathered(
    { ...told, revoked: type === REVOKED ? 'The seller revoked access in Square.' : null },
    failure && { error: failure, needed: true },
  )
}

async function paymentTold(reading: Reading): Promise<EventFacts> {
  const { json, at } = reading
  const payment = readPayment(json, at)
  if (!isCompleted(json)) return about(payment.id, payment)
  return about(
    payment.id,
    payment,
    ...(await surroundings(reading, payment)),
    ...(announces(reading) ? [announcement(at)] : []),
  )
}

/** Longest time until a payment completes, in milliseconds: a card is charged within a week, a bank may take longer. */
const UNDER_WAY_MS = 30 * 86_400_000

/**
 * Whether an event announces a payment: a refund or a late fee also updates one, which must not make a sale of an old
 * payment.
 */
function announces({ json, type, at }: Reading): boolean {
  if (type === 'payment.created') return true
  const made = moment(json.created_at) ?? at
  return whole(object(json.refunded_money).amount) === 0 && at.getTime() - made.getTime() < UNDER_WAY_MS
}

async function surroundings({ json, at, asking, known }: Reading, payment: ProviderObject): Promise<ProviderObject[]> {
  const { order: orderId, customer } = payment.data as Payment
  if ((await known.of(payment.id)).some(({ kind }) => kind === 'context')) return []
  const answered = orderId ? await asking.ask((api) => api.get(`orders/${encodeURIComponent(orderId)}`)) : null
  const order = answered && object(answered.order)
  const customerId = customer ?? idOf(order?.customer_id)
  const [profile, invoices] = await Promise.all([
    customerId ? asking.ask((api) => api.get(`customers/${encodeURIComponent(customerId)}`)) : null,
    customerId && orderId && mayBeInvoiced(json) ? asking.ask((api) => api.invoices(json.location_id, customerId)) : [],
  ])
  return [
    ...(order ? [readOrder(order, at)] : []),
    ...(profile ? [readCustomer(object(profile.customer), at)] : []),
    ...(invoices ?? []).filter(({ order_id }) => order_id === orderId).map((invoice) => readInvoice(invoice, at)),
    ...(asking.failure() ? [] : [contextRead(at)]),
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
  !COUNTERS.includes(String(object(application_details).square_product))
