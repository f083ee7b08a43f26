import { randomBytes } from 'node:crypto'
import { type Answer, type Call, type Fields, startServer } from './server.ts'
import { deliverShopify, emptyShop, type ShopifyEvent, type ShopifyStore } from './shopify-events.ts'

const TOPICS = [
  ...['orders/create', 'orders/paid', 'orders/updated', 'orders/cancelled', 'refunds/create', 'app/uninstalled'],
  ...['order_transactions/create', 'disputes/create', 'disputes/update'],
]
type Webhook = { id: number; topic: string; address: string; format: string; fields: string[] }

type Discount = { id: string; code: string; title: string; active: boolean; input: Fields }

type Options = {
  domain?: string
  /** Rights of the app. */
  scopes?: string[]
  /** `affiliate` is a development shop. */
  plan?: string
  /** Largest page of a list. */
  pageSize?: number
}

const token = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`
const refuse = (status: number, errors: unknown): Answer => ({ status, body: { errors } })
const NO_TOKEN = '[API] Invalid API key or access token (unrecognized login or wrong password)'

/** One shop on loopback: its Admin API, the grant of tokens, and its webhooks; fill it with `shopifyOrder({ store })`. */
export async function standInShopify(options: Options = {}) {
  const { domain = 'northwind.myshopify.com', pageSize = 250 } = options
  const scopes = new Set(options.scopes ?? ['read_orders', 'read_all_orders', 'read_shopify_payments_disputes'])
  const app = { clientId: randomBytes(16).toString('hex'), clientSecret: token('shpss'), accessToken: token('shpat') }
  /** Tokens valid for a day, each granted for the client's id and secret. */
  const granted = new Set<string>()
  const store: ShopifyStore = emptyShop()
  const webhooks = new Map<number, Webhook>()
  const discounts = new Map<string, Discount>()
  /** Lists and positions by `page_info`. */
  const pages = new Map<string, { rows: Fields[]; from: number }>()
  let made = 900_000
  let installed = true
  const shop: Fields = {
    ...{ id: 690_933_842, name: 'Northwind Lamps', email: 'shop@northwind.example', domain: 'northwind.example' },
    ...{ myshopify_domain: domain, currency: 'USD', country_code: 'US', iana_timezone: 'America/New_York' },
    ...{ plan_name: options.plan ?? 'basic', plan_display_name: 'Basic' },
  }

  const server = await startServer((call) => {
    const answer = answerTo(call)
    return {
      ...answer,
      headers: { 'x-request-id': token('req'), 'x-shopify-api-version': '2026-01', ...answer.headers },
    }
  })

  function answerTo(call: Call): Answer {
    if (call.path === '/admin/oauth/access_token') return grant(call)
    const given = String(call.headers['x-shopify-access-token'] ?? '')
    if (!installed || (given !== app.accessToken && !granted.has(given))) return refuse(401, NO_TOKEN)
    if (call.path === '/admin/oauth/access_scopes.json')
      return { status: 200, body: { access_scopes: [...scopes].map((handle) => ({ handle })) } }
    const [, version, path = ''] = /^\/admin\/api\/([^/]+)\/(.+)\.json$/.exec(call.path) ?? []
    if (!version || !/^\d{4}-(01|04|07|10)$/.test(version)) return refuse(404, 'Not Found')
    if (path === 'graphql') return graphql(call)
    if (path === 'shop') return { status: 200, body: { shop } }
    if (path === 'orders') return scopes.has('read_orders') ? listOrders(call) : unapproved('read_orders')
    if (path === 'shopify_payments/disputes')
      return scopes.has('read_shopify_payments_disputes')
        ? list(call, 'disputes', [...store.disputes.values()].reverse())
        : unapproved('read_shopify_payments_disputes')
    const [, orderId] = /^orders\/(\d+)\/transactions$/.exec(path) ?? []
    if (orderId) return transactionsOf(Number(orderId))
    if (path === 'webhooks' && call.method === 'POST') return subscribe(call)
    if (path === 'webhooks') return listWebhooks(call)
    const [, id] = /^webhooks\/(\d+)$/.exec(path) ?? []
    const webhook = webhooks.get(Number(id))
    if (webhook && call.method === 'PUT') {
      Object.assign(webhook, call.body.webhook, { id: webhook.id })
      return { status: 200, body: { webhook } }
    }
    if (id && call.method === 'DELETE')
      return webhooks.delete(Number(id)) ? { status: 200, body: {} } : refuse(404, 'Not Found')
    return refuse(404, 'Not Found')
  }

  const unapproved = (scope: string) => refuse(403, `[API] This action requires merchant approval for ${scope} scope.`)

  function grant({ method, body }: Call): Answer {
    const fail = (error: string, error_description: string): Answer => ({
      status: 400,
      body: { error, error_description },
    })
    if (method !== 'POST' || body.grant_type !== 'client_credentials')
      return fail('invalid_request', 'Unsupported grant type')
    if (body.client_id !== app.clientId || body.client_secret !== app.clientSecret)
      return fail('application_cannot_be_found', 'The application could not be found.')
    if (!installed) return fail('app_not_installed', 'The application is not installed on this shop.')
    const access_token = token('shpat')
    granted.add(access_token)
    return { status: 200, body: { access_token, scope: [...scopes].join(','), expires_in: 86_399 } }
  }

  function listOrders(call: Call): Answer {
    const { status = 'open', order, updated_at_min: since } = call.query
    const sorted = [...store.orders.values()]
      .filter((one) => status === 'any' || !one.cancelled_at)
      .filter((one) => !since || new Date(String(one.updated_at)) >= new Date(String(since)))
    const by = (one: Fields) => String(one.updated_at)
    sorted.sort((a, b) => (order === 'updated_at asc' ? by(a).localeCompare(by(b)) : Number(b.id) - Number(a.id)))
    return list(call, 'orders', sorted)
  }

  function transactionsOf(id: number): Answer {
    const order = store.orders.get(id) as { refunds: { transactions: Fields[] }[] } | undefined
    if (!order) return refuse(404, 'Not Found')
    const refunds = order.refunds.flatMap((refund) => refund.transactions)
    return { status: 200, body: { transactions: [...(store.payments.get(id) ?? []), ...refunds] } }
  }

  /** A page, with the next one in `Link`; with `page_info` only a limit and fields are allowed. */
  function list({ path, query }: Call, name: string, all: Fields[]): Answer {
    const { page_info, limit = '50', fields, ...asked } = query
    if (page_info && Object.keys(asked).length > 0)
      return refuse(400, { page_info: `Invalid value. ${Object.keys(asked)[0]} can not be passed with page_info.` })
    const page = page_info ? pages.get(String(page_info)) : { rows: all, from: 0 }
    if (!page) return refuse(400, { page_info: 'Invalid value.' })
    const size = Math.min(Number(limit), pageSize)
    const until = page.from + size
    const next = page.rows.length > until ? token('page') : null
    if (next) pages.set(next, { rows: page.rows, from: until })
    const address = `https://${domain}${path}?limit=${limit}&page_info=`
    const before = page.from > 0 ? `<${address}before>; rel="previous"` : ''
    const links = [before, next ? `<${address}${next}>; rel="next"` : ''].filter(Boolean)
    const names = fields ? String(fields).split(',') : null
    const shown = page.rows
      .slice(page.from, until)
      .map((row) =>
        names ? Object.fromEntries(names.filter((field) => field in row).map((field) => [field, row[field]])) : row,
      )
    return { status: 200, body: { [name]: shown }, headers: links.length > 0 ? { link: links.join(', ') } : {} }
  }

  /** The requests about discount codes that we make; a code is unique in any letter case, active or not. */
  function graphql({ body }: Call): Answer {
    const { query = '', variables = {} } = body as { query?: string; variables?: Fields }
    const denied = (scope: string) => ({
      status: 200,
      body: {
        errors: [{ message: `Access denied. Required access: ${scope}`, extensions: { code: 'ACCESS_DENIED' } }],
      },
    })
    const data = (name: string, value: unknown): Answer => ({ status: 200, body: { data: { [name]: value } } })
    const wrong = (code: string, message: string) => ({ codeDiscountNode: null, userErrors: [{ code, message }] })
    const byCode = (code: unknown) =>
      [...discounts.values()].find((one) => one.code.toLowerCase() === String(code).toLowerCase())
    if (query.includes('codeDiscountNodeByCode')) {
      if (!scopes.has('read_discounts') && !scopes.has('write_discounts')) return denied('read_discounts')
      const found = byCode(variables.code)
      return data('codeDiscountNodeByCode', found ? { id: found.id, codeDiscount: { title: found.title } } : null)
    }
    if (!scopes.has('write_discounts')) return denied('write_discounts')
    if (query.includes('discountCodeBasicCreate')) {
      const input = variables.discount as Fields
      if (!input.context || !input.customerGets || !input.startsAt || !input.title)
        return data('discountCodeBasicCreate', wrong('BLANK', 'A field is missing'))
      if (byCode(input.code))
        return data('discountCodeBasicCreate', wrong('TAKEN', 'Code must be unique. Please try a different code.'))
      const id = `gid://shopify/DiscountCodeNode/${++made}`
      discounts.set(id, { id, code: String(input.code), title: String(input.title), active: true, input })
      return data('discountCodeBasicCreate', { codeDiscountNode: { id }, userErrors: [] })
    }
    const [name] = /discountCode(?:Activate|Deactivate)/.exec(query) ?? []
    const found = discounts.get(String(variables.id))
    if (!name) return { status: 200, body: { errors: [{ message: 'Unknown field' }] } }
    if (!found) return data(name, wrong('INVALID', 'Code discount does not exist.'))
    found.active = name === 'discountCodeActivate'
    return data(name, { codeDiscountNode: { id: found.id }, userErrors: [] })
  }

  function listWebhooks({ query }: Call): Answer {
    const found = [...webhooks.values()].filter(({ address }) => !query.address || address === query.address)
    return { status: 200, body: { webhooks: found } }
  }

  function subscribe(call: Call): Answer {
    const wanted = (call.body.webhook ?? {}) as Partial<Webhook>
    const { topic = '', address = '', format = 'json', fields = [] } = wanted
    const isAllowed = !topic.startsWith('disputes/') || scopes.has('read_shopify_payments_disputes')
    if (!TOPICS.includes(topic) || !isAllowed)
      return refuse(422, { topic: [`Invalid topic specified. Topics allowed: ${TOPICS.join(', ')}`] })
    if (!/^https?:\/\/\S+$/.test(address)) return refuse(422, { address: ['is not allowed'] })
    if ([...webhooks.values()].some((one) => one.topic === topic && one.address === address))
      return refuse(422, { address: ['for this topic has already been taken'] })
    const webhook = { id: ++made, topic, address, format, fields }
    webhooks.set(webhook.id, webhook)
    return { status: 201, body: { webhook } }
  }

  return {
    ...server,
    domain,
    app,
    shop,
    scopes,
    store,
    webhooks,
    discounts,
    /** The owner's input: for an app of the Dev Dashboard, or for an older one with a token to copy. */
    credentials: { shop: domain, clientId: app.clientId, clientSecret: app.clientSecret },
    olderCredentials: { shop: domain, clientSecret: app.clientSecret, accessToken: app.accessToken },
    /** Replaces the token of an older app; the former one is refused from now on. */
    rollToken() {
      app.accessToken = token('shpat')
      return app.accessToken
    },
    uninstall() {
      installed = false
      granted.clear()
    },
    /** Sends an event to every webhook of its topic, with the fields that the webhook selects. */
    async send(event: ShopifyEvent) {
      const takers = [...webhooks.values()].filter(({ topic }) => topic === event.topic)
      return Promise.all(
        takers.map(({ address, fields }) => {
          const body =
            fields.length > 0 ? Object.fromEntries(fields.map((field) => [field, event.body[field]])) : event.body
          return deliverShopify(address, { ...event, body }, app.clientSecret)
        }),
      )
    },
  }
}
export type TestShopify = Awaited<ReturnType<typeof standInShopify>>
