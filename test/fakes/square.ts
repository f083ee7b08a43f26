import { randomUUID } from 'node:crypto'
import { type Answer, type Call, type Fields, startServer } from './server.ts'
import { deliverSquare, emptySeller, type SquareEvent, type SquareStore, squareId } from './square-events.ts'

/** Event types for subscriptions; former names are not allowed. */
const EVENT_TYPES = [
  ...['payment.created', 'payment.updated', 'refund.created', 'refund.updated', 'order.created', 'order.updated'],
  ...['dispute.created', 'dispute.state.updated', 'invoice.payment_made', 'customer.created'],
]
type Subscription = { id: string; notification_url: string; event_types: string[]; signature_key: string } & Fields

type Options = {
  merchant?: string
  /** Largest page of a list. */
  pageSize?: number
  /** The application that sellers may allow, and its return address. */
  application?: { clientId: string; secretKey: string; redirectUri(): string }
  locations?: string[]
}

const refuse = (status: number, category: string, code: string, detail: string): Answer => ({
  status,
  body: { errors: [{ category, code, detail }] },
})
const missing = (what: string) => refuse(404, 'INVALID_REQUEST_ERROR', 'NOT_FOUND', `${what} was not found.`)

/** One seller on loopback, with the token of their own application; fill it with `squarePayment({ store })`. */
export async function standInSquare(options: Options = {}) {
  const { merchant = 'MLStandIn0001', pageSize = 100, locations = ['LMAIN'], application } = options
  let accessToken = `EAAA${squareId(60)}`
  const applicationId = `sq0idp-${squareId()}`
  const store: SquareStore = emptySeller()
  const subscriptions = new Map<string, Subscription>()
  /** Subscriptions by the idempotency key that made them. */
  const made = new Map<string, Subscription>()
  /** Lists and positions by cursor. */
  const cursors = new Map<string, { list: string; from: number }>()
  const forbidden = new Set<string>()

  /** Codes waiting to be exchanged, and the refresh token. */
  const codes = new Set<string>()
  let refreshToken = ''
  /** The key for events to the application, at the address registered with it. */
  const signatureKey = squareId(22)

  function consentStep(call: Call, { clientId, secretKey, redirectUri }: NonNullable<Options['application']>): Answer {
    if (call.path === '/oauth2/authorize') {
      if (call.query.client_id !== clientId)
        return refuse(400, 'INVALID_REQUEST_ERROR', 'BAD_REQUEST', 'Unknown client.')
      const code = `sq0cgp-${squareId()}`
      codes.add(code)
      const answered = new URLSearchParams({ code, response_type: 'code', state: String(call.query.state) })
      return { status: 302, headers: { location: `${redirectUri()}?${answered}` } }
    }
    if (call.path === '/oauth2/revoke') {
      if (call.headers.authorization !== `Client ${secretKey}` || call.body.access_token !== accessToken)
        return refuse(401, 'AUTHENTICATION_ERROR', 'UNAUTHORIZED', 'This request could not be authorized.')
      accessToken = ''
      return { status: 200, body: { success: true } }
    }
    const { client_id, client_secret, grant_type, code, refresh_token } = call.body
    if (client_id !== clientId || client_secret !== secretKey)
      return { status: 401, body: { message: 'Not Authorized', type: 'service.not_authorized' } }
    const isGood = grant_type === 'refresh_token' ? refresh_token === refreshToken : codes.delete(String(code))
    if (!isGood)
      return { status: 401, body: { message: 'The code or token is not valid', type: 'service.not_authorized' } }
    accessToken = `EAAA${squareId(60)}`
    refreshToken ||= `EQAA${squareId(60)}`
    const expires_at = new Date(Date.now() + 30 * 86_400_000).toISOString()
    return {
      status: 200,
      body: {
        access_token: accessToken,
        token_type: 'bearer',
        expires_at,
        merchant_id: merchant,
        refresh_token: refreshToken,
      },
    }
  }

  const server = await startServer((call) => {
    if (application && call.path.startsWith('/oauth2/')) return consentStep(call, application)
    if (call.headers.authorization !== `Bearer ${accessToken}`)
      return refuse(401, 'AUTHENTICATION_ERROR', 'UNAUTHORIZED', 'This request could not be authorized.')
    if (!/^\d{4}-\d{2}-\d{2}$/.test(String(call.headers['square-version'])))
      return refuse(400, 'INVALID_REQUEST_ERROR', 'BAD_REQUEST', 'Square-Version is not a version.')
    return answerTo(call)
  })

  function answerTo(call: Call): Answer {
    const [, path = ''] = /^\/v2\/(.+)$/.exec(call.path) ?? []
    const [name = '', id] = path.split('/')
    if (forbidden.has(name))
      return refuse(403, 'AUTHENTICATION_ERROR', 'INSUFFICIENT_SCOPES', `The token has no right to read ${name}.`)
    if (path === 'merchants/me') return { status: 200, body: { merchant: seller } }
    if (path === 'locations') return { status: 200, body: { locations: locations.map((one) => ({ id: one })) } }
    if (path === 'webhooks/subscriptions' && call.method === 'POST') return subscribe(call)
    if (path.startsWith('webhooks/subscriptions/') && call.method === 'DELETE')
      return subscriptions.delete(path.split('/')[2]!) ? { status: 200, body: {} } : missing('The subscription')
    if (path === 'invoices/search' && call.method === 'POST') return searchInvoices(call)
    if (call.method !== 'GET') return missing('The path')
    if (name === 'payments' && !id) return list(call, 'payments', listedPayments(call))
    if (name === 'refunds' && !id) return list(call, 'refunds', changedSince(call, [...store.refunds.values()]))
    if (name === 'disputes' && !id) return list(call, 'disputes', listedDisputes(call))
    if (name === 'orders' && id) return one('order', store.orders.get(id))
    if (name === 'customers' && id) return one('customer', store.customers.get(id))
    return missing('The path')
  }

  const seller = {
    ...{ id: merchant, business_name: 'Northwind Lamps', country: 'US', language_code: 'en-US', currency: 'USD' },
    ...{ status: 'ACTIVE', main_location_id: locations[0] },
  }
  const one = (name: string, found: Fields | undefined): Answer =>
    found ? { status: 200, body: { [name]: found } } : missing(name)

  /** Lists payments, of the main location by default, by creation or by last change. */
  const listedPayments = (call: Call) => {
    const { location_id: location = locations[0] } = call.query
    return changedSince(
      call,
      [...store.payments.values()].filter((payment) => payment.location_id === location),
    )
  }

  function changedSince({ query }: Call, rows: Fields[]) {
    const { begin_time, updated_at_begin_time: since, sort_field } = query
    const by = sort_field === 'UPDATED_AT' ? 'updated_at' : 'created_at'
    const sorted = rows.toSorted((a, b) => String(a[by]).localeCompare(String(b[by])))
    return sorted.filter(
      (row) =>
        (!since || new Date(String(row.updated_at)) >= new Date(String(since))) &&
        (!begin_time || new Date(String(row.created_at)) >= new Date(String(begin_time))),
    )
  }

  /** Only open ones if no states are named. */
  function listedDisputes({ query }: Call) {
    const wanted = query.states ? String(query.states).split(',') : null
    return [...store.disputes.values()].filter(({ state }) =>
      wanted ? wanted.includes(String(state)) : !['INQUIRY_CLOSED', 'WON', 'LOST'].includes(String(state)),
    )
  }

  /** A cursor is valid only for the query that returned it. */
  function list({ query }: Call, name: string, rows: Fields[]): Answer {
    const { cursor, limit = '100', ...asked } = query
    const question = JSON.stringify([name, asked])
    const page = cursor ? cursors.get(String(cursor)) : { list: question, from: 0 }
    if (page?.list !== question)
      return refuse(400, 'INVALID_REQUEST_ERROR', 'INVALID_CURSOR', 'The cursor is not of this query.')
    const until = page.from + Math.min(Number(limit), pageSize)
    const body: Fields = { [name]: rows.slice(page.from, until) }
    if (rows.length > until) {
      body.cursor = squareId(30)
      cursors.set(String(body.cursor), { list: question, from: until })
    }
    return { status: 200, body }
  }

  function searchInvoices({ body }: Call): Answer {
    const { location_ids: places, customer_ids: people } = ((body.query ?? {}) as { filter: Record<string, string[]> })
      .filter
    if (places?.length !== 1 || people?.length !== 1)
      return refuse(400, 'INVALID_REQUEST_ERROR', 'BAD_REQUEST', 'Name one location and one customer.')
    const found = [...store.invoices.values()].filter(
      (one) =>
        one.location_id === places[0] && (one.primary_recipient as Fields | undefined)?.customer_id === people[0],
    )
    return { status: 200, body: found.length > 0 ? { invoices: found.reverse() } : {} }
  }

  function subscribe({ body }: Call): Answer {
    const key = String(body.idempotency_key ?? '')
    const wanted = (body.subscription ?? {}) as Partial<Subscription>
    if (!key || key.length > 45)
      return refuse(400, 'INVALID_REQUEST_ERROR', 'VALUE_TOO_LONG', 'The idempotency key has at most 45 characters.')
    if (!/^https?:\/\//.test(wanted.notification_url ?? '') || !wanted.event_types?.length)
      return refuse(400, 'INVALID_REQUEST_ERROR', 'INVALID_VALUE', 'The notification URL is not valid.')
    if (wanted.event_types.some((type) => !EVENT_TYPES.includes(type)))
      return refuse(400, 'INVALID_REQUEST_ERROR', 'INVALID_VALUE', 'An event type is not valid.')
    const subscription = made.get(key) ?? {
      ...{ name: wanted.name, enabled: true, api_version: wanted.api_version, created_at: new Date().toISOString() },
      ...{ id: `wbhk_${randomUUID().replaceAll('-', '')}`, signature_key: squareId(22) },
      ...{ notification_url: wanted.notification_url!, event_types: wanted.event_types },
    }
    made.set(key, subscription)
    subscriptions.set(subscription.id, subscription)
    return { status: 200, body: { subscription } }
  }

  return {
    ...server,
    merchant,
    store,
    signatureKey,
    subscriptions,
    /** The owner's input; with a signature key of their own, no subscription is made. */
    get credentials() {
      return { accessToken, applicationId }
    },
    /** Creates a new token; the former one is refused from now on. */
    rollToken() {
      accessToken = `EAAA${squareId(60)}`
      return accessToken
    },
    forbid: (name: string) => void forbidden.add(name),
    allow: (name: string) => void forbidden.delete(name),
    /** Sends an event to every subscription to its type. */
    send(event: SquareEvent) {
      const takers = [...subscriptions.values()].filter(({ event_types }) => event_types.includes(event.type))
      return Promise.all(takers.map((one) => deliverSquare(one.notification_url, event, one.signature_key)))
    },
  }
}
export type TestSquare = Awaited<ReturnType<typeof standInSquare>>
