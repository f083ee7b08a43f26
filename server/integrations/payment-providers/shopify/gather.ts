import { type EventFacts, factsOf, gatherBy, type Readers, type Reading } from '../gather-facts.ts'
import { object, type ProviderJson } from '../parse-values.ts'
import { payerOf, paymentReported } from '../provider-objects.ts'
import { createShopifyApi, type ShopifyApi } from './api.ts'
import { idOf, isPaid, type Order, readDispute, readOrder, readRefund, readShopifyTransaction } from './objects.ts'

type ShopifyReading = Reading<ShopifyApi>

/** Reads a changed order; of one that is not paid in full, such as after an edit, only its refunds. */
function orderRead({ json, at }: ShopifyReading): EventFacts {
  const [order, ...refunds] = readOrder(json, at)
  return factsOf(idOf(json.id), ...(isPaid(json) ? [order] : []), ...refunds)
}

const disputeRead = ({ json, at }: ShopifyReading) => factsOf(idOf(json.order_id), ...readDispute(json, at))

/** All payloads are complete. */
const readers: Readers<ShopifyApi> = {
  'orders/paid': orderPaid,
  'orders/cancelled': orderRead,
  'orders/updated': orderRead,
  'refunds/create': ({ json, at }) => factsOf(idOf(json.order_id), ...readRefund(json, at)),
  'order_transactions/create': ({ json, at }) => factsOf(idOf(json.order_id), ...readShopifyTransaction(json, at)),
  'disputes/create': disputeRead,
  'disputes/update': disputeRead,
  'app/uninstalled': () => ({ revoked: 'The app was uninstalled from the shop.' }),
}
export const eventTypes = Object.keys(readers)

export const gather = gatherBy({ readers, createApi: createShopifyApi, objectIn: (body) => body, needed: true })

/** Reads an order that counts as paid only by its own status, since the topic is not signed. */
async function orderPaid({ json, at, calls }: ShopifyReading): Promise<EventFacts> {
  const [order, ...refunds] = readOrder(json, at)
  const { total, ...facts } = order.data as Order
  if (!isPaid(json) || (json.test === true && !(await testsCount(calls)))) return {}
  if (total === 0) return { prospect: payerOf([facts]) }
  return factsOf(idOf(json.id), order, ...refunds, paymentReported(at))
}

/** Whether test payments count: in a development shop all payments are tests; in a live one they are no sales. */
async function testsCount(calls: ShopifyReading['calls']): Promise<boolean> {
  const shop = await calls.ask((api) => api.get('shop.json'))
  return isDevelopment(object(shop?.shop))
}

const DEVELOPMENT_PLANS = ['affiliate', 'partner_test', 'plus_partner_sandbox']
export const isDevelopment = ({ plan_name }: ProviderJson) => DEVELOPMENT_PLANS.includes(String(plan_name))
