import { jsonIn, object, type ProviderJson } from '../parse-values.ts'
import { payerOf } from '../payer.ts'
import type { Credentials, GatheredFacts, ProviderAccess, StoredEvent } from '../provider.ts'
import { type ProviderCalls as AskingOf, createAsking, type EventFacts, gathered } from '../provider-calls.ts'
import { announcement } from '../provider-objects.ts'
import { createShopifyApi, type ShopifyApi } from './api.ts'
import { idOf, isPaid, type Order, readDispute, readOrder, readRefund, readShopifyTransaction } from './objects.ts'

type Reading = { json: ProviderJson; at: Date; asking: AskingOf<ShopifyApi> }

const nothing: EventFacts = {}
const about = (key: string | null, objects: NonNullable<EventFacts['sightings']>[number]['objects']): EventFacts =>
  key && objects.length > 0 ? { sightings: [{ key, aliases: [], objects }] } : nothing

/** Readers by topic. All payloads are complete. */
const readers: Record<string, (reading: Reading) => EventFacts | Promise<EventFacts>> = {
  'orders/paid': orderPaid,
  'orders/cancelled': orderTold,
  'orders/updated': orderTold,
  'refunds/create': ({ json, at }) => about(idOf(json.order_id), readRefund(json, at)),
  'order_transactions/create': ({ json, at }) => about(idOf(json.order_id), readShopifyTransaction(json, at)),
  'disputes/create': ({ json, at }) => about(idOf(json.order_id), readDispute(json, at)),
  'disputes/update': ({ json, at }) => about(idOf(json.order_id), readDispute(json, at)),
  'app/uninstalled': () => ({ revoked: 'The app was uninstalled from the shop.' }),
}
export const eventTypes = Object.keys(readers)

export async function gather(
  event: StoredEvent,
  credentials: Credentials | null,
  reach: ProviderAccess,
): Promise<GatheredFacts> {
  const asking = createAsking(credentials && createShopifyApi(credentials, reach), reach)
  const told = await readers[event.type]?.({ json: object(jsonIn(event.body)), at: event.at, asking })
  const failure = asking.failure()
  return gathered(told, failure && { error: failure, needed: true })
}

function orderTold({ json, at }: Reading): EventFacts {
  return about(idOf(json.id), readOrder(json, at))
}

/** Reads an order that counts as paid only by its own status, since the topic is not signed. */
async function orderPaid({ json, at, asking }: Reading): Promise<EventFacts> {
  const [order, ...refunds] = readOrder(json, at)
  const { total, ...facts } = order.data as Order
  if (!isPaid(json) || (json.test === true && !(await testsCount(asking)))) return nothing
  if (total === 0) return { newcomer: payerOf([facts]) }
  return about(idOf(json.id), [order, ...refunds, announcement(at)])
}

/** Whether test payments count: in a development shop all payments are tests; in a live one they are no sales. */
async function testsCount(asking: Reading['asking']): Promise<boolean> {
  const shop = await asking.ask((api) => api.get('shop.json'))
  return isDevelopment(object(shop?.shop))
}

const DEVELOPMENT_PLANS = ['affiliate', 'partner_test', 'plus_partner_sandbox']
export const isDevelopment = ({ plan_name }: ProviderJson) => DEVELOPMENT_PLANS.includes(String(plan_name))
