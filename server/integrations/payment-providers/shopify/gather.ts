import { type ProviderJson, parseObject, parseObjects } from '../parse-values.ts'
import { paymentReported, toPayer } from '../provider-objects.ts'
import { createFactsReader, type EventFacts, type EventReading, type Readers, toFacts } from '../resolve-event.ts'
import { createShopifyApi, type ShopifyApi } from './api.ts'
import {
  isPaid,
  type Order,
  parseId,
  paymentsIn,
  readDispute,
  readOrder,
  readRefund,
  readShopifyTransaction,
} from './objects.ts'

type ShopifyReading = EventReading<ShopifyApi>

/** Reads a changed order; of one that is not paid in full, such as after an edit, only its refunds. */
async function orderRead(reading: ShopifyReading): Promise<EventFacts> {
  const { json } = reading
  const [order, ...refunds] = await paidOrder(reading)
  return toFacts(parseId(json.id), ...(isPaid(json) ? [order] : []), ...refunds)
}

const disputeRead = ({ json, at }: ShopifyReading) => toFacts(parseId(json.order_id), ...readDispute(json, at))

/** Payloads are complete, except for the payments of a changed order. */
const readers: Readers<ShopifyApi> = {
  'orders/paid': orderPaid,
  'orders/cancelled': orderRead,
  'orders/updated': orderRead,
  'refunds/create': ({ json, at }) => toFacts(parseId(json.order_id), ...readRefund(json, at)),
  'order_transactions/create': ({ json, at }) => toFacts(parseId(json.order_id), ...readShopifyTransaction(json, at)),
  'disputes/create': disputeRead,
  'disputes/update': disputeRead,
  'app/uninstalled': () => ({ revoked: 'The app was uninstalled from the shop.' }),
}
export const eventTypes = Object.keys(readers)

export const readFacts = createFactsReader({
  readers,
  createApi: createShopifyApi,
  objectIn: (body) => body,
  needed: true,
})

/** Reads an order that counts as paid only by its own status, since the topic is not signed. */
async function orderPaid(reading: ShopifyReading): Promise<EventFacts> {
  const { json, at, calls } = reading
  const [order, ...refunds] = await paidOrder(reading)
  const { total, ...facts } = order.data as Order
  if (!isPaid(json) || (json.test === true && !(await testsCount(calls)))) return {}
  if (total === 0) return { prospect: toPayer([facts]) }
  return toFacts(parseId(json.id), order, ...refunds, paymentReported(at))
}

/**
 * Reads an order. The total of one that has changed since its payment may include goods that were never paid, or
 * exchanged for others: its payments are requested. If no more was paid than is known, the order is the known one.
 */
async function paidOrder({ json, at, calls, stored }: ShopifyReading): Promise<ReturnType<typeof readOrder>> {
  const read = readOrder(json, at)
  const [{ id, data }] = read
  const known = (await stored.listByPayment(id)).find(({ kind }) => kind === 'order')
  const isChanged = known ? known.data.total !== data.total : parseObjects(json.refunds).length > 0
  if (!isPaid(json) || !isChanged) return read
  const answer = await calls.ask((api) => api.get(`orders/${encodeURIComponent(id)}/transactions.json`))
  if (!answer) return read
  const [order, ...refunds] = readOrder(json, at, paymentsIn(answer.transactions))
  return [known && known.data.total === order.data.total ? known : order, ...refunds]
}

/** Whether test payments count: in a development shop all payments are tests; in a live one they are no sales. */
async function testsCount(calls: ShopifyReading['calls']): Promise<boolean> {
  const shop = await calls.ask((api) => api.get('shop.json'))
  return isDevelopment(parseObject(shop?.shop))
}

const DEVELOPMENT_PLANS = ['affiliate', 'partner_test', 'plus_partner_sandbox']
export const isDevelopment = ({ plan_name }: ProviderJson) => DEVELOPMENT_PLANS.includes(String(plan_name))
