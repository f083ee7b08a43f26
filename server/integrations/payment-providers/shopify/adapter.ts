import { paymentProviderNames } from '#contract/sales.ts'
import type { SignatureForm } from '../../../platform/http/signature.ts'
import {
  type ProviderJson,
  parseCurrency,
  parseJson,
  parseObject,
  parseObjects,
  parseText,
  parseTime,
} from '../parse-values.ts'
import { type EventDelivery, PaymentProviderError, type ProviderAdapter, type ReceivedEvent } from '../provider.ts'
import { isProven } from '../signed.ts'
import { createShopifyApi, type ShopifyApi } from './api.ts'
import { codes } from './codes.ts'
import { eventTypes, isDevelopment, readFacts } from './gather.ts'
import { isPaid, ORDER_FIELDS, parseId } from './objects.ts'
import { toPayment, toRefunds } from './payment.ts'

const DISPUTES = 'read_shopify_payments_disputes'
/** The topics subscribed to; no other change of an order moves money by itself. */
const TOPICS = ['orders/paid', 'orders/cancelled', 'refunds/create', 'order_transactions/create', 'app/uninstalled']
const DISPUTE_TOPICS = ['disputes/create', 'disputes/update']

const SIGNATURE: SignatureForm = { header: 'x-shopify-hmac-sha256', signed: '{body}', encoding: 'base64', key: 'text' }

export const shopify: ProviderAdapter = {
  provider: 'shopify',
  name: paymentProviderNames.shopify,
  methods: ['credentials'],
  fields: [
    {
      key: 'shop',
      label: 'Shop Domain',
      help: 'Ends in .myshopify.com. You find it in Shopify under Settings, Domains.',
      secret: false,
      shape: /^[a-z0-9][a-z0-9-]{0,59}\.myshopify\.com$/i,
      words: 'Enter the shop’s permanent domain, such as northwind.myshopify.com',
    },
    {
      key: 'clientId',
      label: 'Client ID',
      help: 'From an app that you create in Shopify’s Dev Dashboard with the scope read_orders and install in your shop. Add read_shopify_payments_disputes to count chargebacks, and read_all_orders to read orders older than 60 days.',
      secret: false,
      optional: true,
      shape: /^[a-z0-9]{16,100}$/i,
      words: 'Enter the client ID as the app’s settings show it',
    },
    {
      key: 'clientSecret',
      label: 'Client Secret',
      help: 'Next to the client ID; in an older app it’s called the API secret key. Shopify signs its events with it.',
      secret: true,
      shape: /^[A-Za-z0-9_]{16,200}$/,
      words: 'Enter the app’s client secret. It usually begins with shpss_',
    },
    {
      key: 'accessToken',
      label: 'Admin API Access Token',
      help: 'Only for an app created in the shop’s own settings before 2026. Leave it empty if you enter a client ID.',
      secret: true,
      optional: true,
      shape: /^shp(at|ca|pa)_[A-Za-z0-9]{8,200}$/,
      words: 'Enter an Admin API access token. It begins with shpat_',
    },
  ],
  signingField: 'clientSecret',
  eventTypes,
  codes,

  async readAccount(credentials, reach) {
    const api = createShopifyApi(credentials, reach)
    if (!(await api.scopes()).has('read_orders'))
      throw new PaymentProviderError(
        'forbidden',
        'The app can’t read orders. Give it the read_orders scope, then reinstall it.',
      )
    const shop = parseObject((await api.get('shop.json')).shop)
    return {
      accountName: parseText(shop.name, 200),
      defaultCurrency: parseCurrency(shop.currency) || null,
      providerAccountId: parseText(shop.myshopify_domain)?.toLowerCase() ?? null,
      livemode: !isDevelopment(shop),
    }
  },

  async makeEndpoint(credentials, url, reach) {
    const api = createShopifyApi(credentials, reach)
    const wanted = [...TOPICS, ...((await api.scopes()).has(DISPUTES) ? DISPUTE_TOPICS : [])]
    const known = parseObjects((await api.get('webhooks.json', { address: url, limit: '250' })).webhooks)
    const ids: string[] = []
    for (const topic of wanted) {
      const own = known.find((one) => one.topic === topic && one.address === url)
      const webhook = own ?? (await subscribe(api, topic, url))
      const id = parseId(webhook.id) ?? ''
      if (!sendsAll(webhook))
        await api.put(`webhooks/${id}.json`, { webhook: { id: webhook.id, fields: fieldsOf(topic) } })
      ids.push(id)
    }
    return { id: ids.join(','), secret: credentials.clientSecret! }
  },

  async disconnect(credentials, endpointId, reach) {
    const api = createShopifyApi(credentials, reach)
    for (const id of endpointId?.split(',') ?? [])
      await api.delete(`webhooks/${encodeURIComponent(id)}.json`).catch((error: unknown) => {
        if (!(error instanceof PaymentProviderError) || error.kind !== 'missing') throw error
      })
  },

  async receive(delivery) {
    const { raw, headers, credentials, reach } = delivery
    if (!isProven(SIGNATURE, credentials.clientSecret, delivery)) return null
    const body = raw.toString('utf8')
    const json = parseJson(body)
    const header = (name: string) => parseText(single(headers, `x-shopify-${name}`))
    const id = header('event-id') ?? header('webhook-id')
    const type = header('topic')
    if (!json || !id || !type) throw new PaymentProviderError('invalid', 'This isn’t a Shopify event.')
    return [
      {
        // one change may be sent under several topics
        id: `${id} ${type}`,
        type,
        at: parseTime(header('triggered-at') ?? json.updated_at ?? json.created_at) ?? reach.now,
        account: header('shop-domain')?.toLowerCase() ?? null,
        livemode: null,
        body,
      },
    ]
  },

  readFacts,
  toPayment,
  toRefunds,

  /** Lists orders first, then disputes, which can only be listed as a whole. */
  async readHistory(credentials, reach, since, cursor) {
    const api = createShopifyApi(credentials, reach)
    const { shop = '' } = credentials
    const [list = 'orders', page] = cursor?.split(' ') ?? []
    if (
      cursor === null &&
      reach.now.getTime() - since.getTime() > OPEN_FOR_MS &&
      !(await api.scopes()).has('read_all_orders')
    )
      throw new PaymentProviderError(
        'invalid',
        'Without the read_all_orders scope, Shopify only lists orders from the last 60 days.',
        { listedFrom: new Date(reach.now.getTime() - OPEN_FOR_MS + DAY_MS) },
      )
    if (list === 'orders') {
      const first = { status: 'any', order: 'updated_at asc', updated_at_min: since.toISOString() }
      const { rows, next } = await api.page('orders', { first, page, fields: ORDER_FIELDS.join() })
      const events = rows.map((order) => orderEvent(order, { shop, since }))
      return { events, next: next ? `orders ${next}` : (await api.scopes()).has(DISPUTES) ? 'disputes' : null }
    }
    const { rows, next } = await disputesOf(api, page)
    return { events: rows.map((dispute) => disputeEvent(dispute, { shop, since })), next: next && `disputes ${next}` }
  },
}

const DAY_MS = 86_400_000
const OPEN_FOR_MS = 60 * DAY_MS

const single = (headers: EventDelivery['headers'], name: string) => [headers[name]].flat()[0]

const fieldsOf = (topic: string) => (topic.startsWith('orders/') ? ORDER_FIELDS : [])

/** Whether a webhook sends all fields; one made by an earlier release may not. */
function sendsAll({ topic, fields }: ProviderJson) {
  const sent = Array.isArray(fields) ? fields : []
  return sent.length === 0 || fieldsOf(String(topic)).every((field) => sent.includes(field))
}

async function subscribe(api: ShopifyApi, topic: string, address: string): Promise<ProviderJson> {
  const fields = fieldsOf(topic)
  const wanted = { topic, address, format: 'json', ...(fields.length > 0 && { fields }) }
  const { webhook } = await api.post('webhooks.json', { webhook: wanted })
  return parseObject(webhook)
}

/** Lists none if the shop does not use Shopify Payments. */
async function disputesOf(api: ShopifyApi, page: string | undefined) {
  try {
    return await api.page('shopify_payments/disputes', { page })
  } catch (error) {
    if (error instanceof PaymentProviderError && error.kind === 'missing') return { rows: [], next: null }
    throw error
  }
}

type Of = { shop: string; since: Date }

/** Longest time until an order is paid, in milliseconds, such as by bank transfer. */
const UNDER_WAY_MS = 30 * DAY_MS

/**
 * Returns the event for an order; later changes do not announce an old order again. An order does not say when it was
 * paid.
 */
function orderEvent(json: ProviderJson, { shop, since }: Of): ReceivedEvent {
  const at = parseTime(json.updated_at) ?? since
  const placed = parseTime(json.processed_at ?? json.created_at) ?? at
  const isNew = isPaid(json) && (placed >= since || at.getTime() - placed.getTime() < UNDER_WAY_MS)
  return listed(shop, isNew ? 'orders/paid' : 'orders/updated', { json, at, state: at.toISOString() })
}

const disputeEvent = (json: ProviderJson, { shop, since }: Of) =>
  listed(shop, 'disputes/update', {
    json,
    at: parseTime(json.finalized_on ?? json.initiated_at) ?? since,
    state: `${json.type} ${json.status}`,
  })

/** List endpoints return no event ids, so one is derived from the object and its state. */
const listed = (
  shop: string,
  type: string,
  { json, at, state }: { json: ProviderJson; at: Date; state: string },
): ReceivedEvent => ({
  id: `${type} ${parseId(json.id)} ${state}`,
  type,
  at,
  account: shop.toLowerCase(),
  livemode: null,
  body: JSON.stringify(json),
})
