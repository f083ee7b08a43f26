import { randomBytes } from 'node:crypto'
import { type Answer, type Call, type Fields, startServer } from './server.ts'
import { deliverWoo, emptyWooStore, pingWoo, type WooEvent } from './woocommerce-events.ts'

export type WooWebhook = {
  id: number
  name: string
  status: string
  topic: string
  delivery_url: string
  secret: string
  failures: number
  /** The answer to the test of its address. */
  pinged: number | null
}

type Options = {
  /** The key's permissions. */
  permissions?: 'read' | 'write' | 'read_write'
  /** Path of WordPress below the host, such as `/store`. */
  below?: string
  /** The server drops the header with the key. */
  dropsHeader?: boolean
  /** The Subscriptions extension. */
  hasSubscriptions?: boolean
}

const key = (prefix: string) => `${prefix}_${randomBytes(20).toString('hex')}`
const refuse = (status: number, code: string, message: string): Answer => ({
  status,
  body: { code, message, data: { status } },
})
const noRoute = () => refuse(404, 'rest_no_route', 'No route was found matching the URL and request method.')
const TOPICS = /^(order|product|customer|coupon)\.(created|updated|deleted|restored)$/
/** Consecutive failures after which a webhook is turned off. */
const MOST_FAILURES = 5

/** One store on loopback: its REST API and its webhooks; fill it with `wooOrder({ store })`. */
export async function standInWooCommerce(options: Options = {}) {
  const { permissions = 'read_write', below = '', dropsHeader = false, hasSubscriptions = false } = options
  const keys = { consumerKey: key('ck'), consumerSecret: key('cs') }
  const store = emptyWooStore()
  const webhooks = new Map<number, WooWebhook>()
  const coupons = new Map<number, Fields>()
  const settings = { permissions, currency: 'USD', mayManage: true }
  let made = 100

  const server = await startServer(async (call) => {
    const path = call.path.startsWith(`${below}/wp-json/wc/v3/`)
      ? call.path.slice(`${below}/wp-json/wc/v3/`.length)
      : null
    if (path === null) return { status: 404, body: '<!doctype html><title>Page not found</title>' }
    return refusal(call) ?? (await answerTo(call, path))
  })

  /** Refuses a wrong key, or one without the right; a key in the query comes first. */
  function refusal({ headers, query, method }: Call): Answer | null {
    const [user, password] = query.consumer_key
      ? [query.consumer_key, query.consumer_secret]
      : dropsHeader
        ? []
        : Buffer.from(String(headers.authorization ?? '').replace(/^Basic /, ''), 'base64')
            .toString()
            .split(':')
    if (user !== keys.consumerKey)
      return refuse(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
    const failed = (message: string) => refuse(401, 'woocommerce_rest_authentication_error', message)
    if (password !== keys.consumerSecret) return failed('Consumer secret is invalid.')
    const needs = method === 'GET' ? 'read' : 'write'
    return settings.permissions.includes(needs)
      ? null
      : failed(`The API key provided does not have ${needs} permissions.`)
  }

  async function answerTo(call: Call, path: string): Promise<Answer> {
    const { method } = call
    if (path === 'orders' && method === 'GET') return listOrders(call)
    const [, order, what] = /^orders\/(\d+)(?:\/(refunds|subscriptions))?$/.exec(path) ?? []
    if (order && method === 'GET') return ofOrder(call, Number(order), what)
    if (path === 'data/currencies/current')
      return settings.mayManage
        ? { status: 200, body: { code: settings.currency, name: 'United States (US) dollar', symbol: '&#36;' } }
        : refuse(403, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
    const [, name, id] = /^(webhooks|coupons)(?:\/(\d+))?$/.exec(path) ?? []
    if (name === 'webhooks') return webhook(call, id ? Number(id) : null)
    if (name === 'coupons') return coupon(call, id ? Number(id) : null)
    return noRoute()
  }

  function listOrders(call: Call): Answer {
    const { status = 'any', modified_after: after, dates_are_gmt: isGmt, orderby = 'date', order = 'desc' } = call.query
    const { customer, before } = call.query
    const placed = String(isGmt) === 'true' ? 'date_created_gmt' : 'date_created'
    const field = String(isGmt) === 'true' ? 'date_modified_gmt' : 'date_modified'
    const rows = [...store.orders.values()]
      .filter((one) => (status === 'any' ? one.status !== 'trash' : one.status === status))
      .filter((one) => !after || String(one[field]) > String(after))
      .filter((one) => !before || String(one[placed]) < String(before))
      .filter((one) => !customer || String(one.customer_id) === customer)
    const by = orderby === 'id' ? 'id' : 'date_created_gmt'
    rows.sort((one, other) => String(one[by]).localeCompare(String(other[by]), undefined, { numeric: true }))
    return list(call, order === 'desc' ? rows.reverse() : rows)
  }

  function ofOrder(call: Call, id: number, what: string | undefined): Answer {
    const order = store.orders.get(id)
    if (what === 'subscriptions' && !hasSubscriptions) return noRoute()
    if (!order) return refuse(404, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.')
    if (what === 'refunds') return list(call, store.refunds.get(id) ?? [])
    if (what === 'subscriptions') return list(call, store.subscriptions.get(id) ?? [])
    return { status: 200, body: order }
  }

  /** A page of a list, with the number of pages in a header. */
  function list({ query }: Call, all: Fields[]): Answer {
    const [size, page] = [Number(query.per_page ?? 10), Number(query.page ?? 1)]
    for (const [name, value, most] of [
      ['per_page', size, 100],
      ['page', page, Number.POSITIVE_INFINITY],
    ] as const)
      if (!(Number.isInteger(value) && value >= 1 && value <= most))
        return refuse(400, 'rest_invalid_param', `Invalid parameter(s): ${name}`)
    const fields = query._fields ? String(query._fields).split(',') : null
    const rows = all.slice((page - 1) * size, page * size)
    return {
      status: 200,
      headers: { 'x-wp-total': String(all.length), 'x-wp-totalpages': String(Math.ceil(all.length / size)) },
      body: rows.map((row) =>
        fields ? Object.fromEntries(fields.flatMap((name) => (name in row ? [[name, row[name]]] : []))) : row,
      ),
    }
  }

  const shownWebhook = ({ secret, failures, pinged, ...shown }: WooWebhook) => shown

  /** Makes, lists, changes and deletes webhooks. Their secrets are never shown. */
  async function webhook(call: Call, id: number | null): Promise<Answer> {
    const { method, body, query } = call
    if (!settings.mayManage)
      return refuse(403, 'woocommerce_rest_cannot_create', 'Sorry, you are not allowed to create resources.')
    if (id === null && method === 'GET') return list(call, [...webhooks.values()].map(shownWebhook))
    const { topic, delivery_url: url } = body as Partial<WooWebhook>
    if (topic !== undefined && !TOPICS.test(topic))
      return refuse(400, 'woocommerce_rest_shop_webhook_invalid_topic', 'Webhook topic is required and must be valid.')
    if (id === null) {
      if (!topic || !/^https?:\/\/\S+$/.test(url ?? ''))
        return refuse(400, 'rest_missing_callback_param', 'Missing parameter(s): topic, delivery_url')
      const one = {
        name: '',
        status: 'active',
        secret: '',
        ...body,
        id: ++made,
        failures: 0,
        pinged: null,
      } as WooWebhook
      one.secret ||= randomBytes(25).toString('hex')
      webhooks.set(one.id, one)
      // before it answers
      one.pinged = await pingWoo(one.delivery_url, one.id).catch(() => 0)
      return { status: 201, body: shownWebhook(one) }
    }
    const one = webhooks.get(id)
    if (method === 'DELETE' && String(query.force) !== 'true')
      return refuse(501, 'woocommerce_rest_trash_not_supported', 'Webhooks do not support trashing.')
    if (!one) return refuse(method === 'PUT' ? 400 : 404, 'woocommerce_rest_shop_webhook_invalid_id', 'Invalid ID.')
    if (method === 'DELETE') webhooks.delete(id)
    else if (method === 'PUT') Object.assign(one, body, { id })
    return { status: 200, body: shownWebhook(one) }
  }

  /** Makes, finds and changes coupons, whose codes are in lower case and unique. */
  function coupon(call: Call, id: number | null): Answer {
    const { method, body, query } = call
    const code = String((method === 'GET' ? query.code : body.code) ?? '').toLowerCase()
    const found = [...coupons.values()].filter((one) => !code || one.code === code)
    if (id === null && method === 'GET') return list(call, found)
    if (id === null) {
      if (!('code' in body)) return refuse(400, 'rest_missing_callback_param', 'Missing parameter(s): code')
      if (!code) return refuse(400, 'woocommerce_rest_empty_coupon_code', 'The coupon code cannot be empty.')
      if (found.length > 0)
        return refuse(400, 'woocommerce_rest_coupon_code_already_exists', 'The coupon code already exists')
      const one = { date_expires: null, meta_data: [], ...body, id: ++made, code }
      coupons.set(one.id, one)
      return { status: 201, body: one }
    }
    const one = coupons.get(id)
    if (!one) return refuse(404, 'woocommerce_rest_shop_coupon_invalid_id', 'Invalid ID.')
    if (method === 'PUT') {
      const { date_expires: expires, ...rest } = body
      // null is as if it was left out
      Object.assign(one, rest, expires === undefined || expires === null ? {} : { date_expires: expires || null })
    }
    return { status: 200, body: one }
  }

  /** Sends a webhook an event, and turns it off after too many failures. */
  async function deliver(one: WooWebhook, event: WooEvent) {
    const { status } = await deliverWoo(one.delivery_url, event, one.secret).catch(() => ({ status: 0 }))
    if (status >= 200 && status < 303) one.failures = 0
    else if (one.failures >= MOST_FAILURES) one.status = 'disabled'
    else one.failures++
    return status
  }

  return {
    ...server,
    /** The store's address, as its owner enters it. */
    address: `${server.url}${below}`,
    keys,
    settings,
    store,
    webhooks,
    coupons,
    credentials: { store: `${server.url}${below}`, ...keys },
    /** Replaces the key; the former one is refused from now on. */
    rollKey: () => Object.assign(keys, { consumerKey: key('ck'), consumerSecret: key('cs') }),
    /** Sends an event to every active webhook of its topic, and returns the answers. */
    send: (event: WooEvent) =>
      Promise.all(
        [...webhooks.values()]
          .filter(({ topic, status }) => topic === event.topic && status === 'active')
          .map((one) => deliver(one, event)),
      ),
  }
}
