import { randomBytes, randomUUID } from 'node:crypto'
import { deliverPolar, POLAR_ORGANIZATION, type PolarEvent, type PolarStore } from './polar-events.ts'
import { type Answer, type Call, type Fields, startServer } from './server.ts'

const LISTS = ['organizations', 'orders', 'refunds', 'disputes']
const FORMATS = ['raw', 'discord', 'slack']
/** The types that Polar has; an endpoint for any other is refused. */
const TYPES = [
  ...['order.created', 'order.updated', 'order.paid', 'order.refunded', 'refund.created', 'refund.updated'],
  ...['subscription.created', 'subscription.updated', 'subscription.active', 'subscription.canceled'],
  ...['checkout.created', 'checkout.updated', 'customer.created', 'customer.updated', 'customer.deleted'],
]
const SCOPES = ['organizations:read', 'orders:read', 'refunds:read', 'disputes:read', 'webhooks:write']

type Options = { key?: string; organization?: { id?: string; name?: string; currency?: string } }
type Endpoint = Fields & { id: string; url: string; secret: string; events: string[]; enabled: boolean }

/** Polar on loopback: lists over `store` and webhook endpoints; fill it with `polarOrder`. */
export async function standInPolar({ key = 'polar_oat_StandIn0000000000001', organization = {} }: Options = {}) {
  const { id = POLAR_ORGANIZATION, name = 'Ice Floe', currency = 'usd' } = organization
  const store: PolarStore = new Map()
  const endpoints = new Map<string, Endpoint>()
  const scopes = new Set(SCOPES)
  let opens = key
  const own = {
    id: id as string,
    name,
    slug: 'ice-floe',
    default_presentment_currency: currency,
    created_at: '2025-01-01T00:00:00Z',
  }

  const server = await startServer((call) => {
    const { method, path, headers } = call
    if (!headers.authorization) return refuse(401, 'Unauthorized', 'Unauthorized')
    if (headers.authorization !== `Bearer ${opens}`) return ofToken(401, 'invalid_token', INVALID)
    const [, area = '', place] = path.match(/^\/v1\/([a-z]+)(\/.*)?$/) ?? []
    if (area === 'webhooks') return webhooks(call, place ?? '')
    if (!LISTS.includes(area) || method !== 'GET') return refuse(404, 'ResourceNotFound', 'Not found')
    // its framework sends a path without its last slash there
    if (!place) return { status: 307, headers: { location: `${path}/` } }
    if (!scopes.has(`${area}:read`)) return ofToken(403, 'insufficient_scope', INSUFFICIENT)
    if (place !== '/') return refuse(404, 'ResourceNotFound', 'Not found')
    return pageOf(call, area === 'organizations' ? [own] : rowsOf(area))
  })

  const rowsOf = (list: string) => [...store].filter(([at]) => at.startsWith(`${list}/`)).map(([, row]) => row)

  function pageOf({ query }: Call, rows: Fields[]): Answer {
    const [page, asked] = [Number(query.page ?? 1), Number(query.limit ?? 10)]
    for (const [field, value] of Object.entries({ page, limit: asked }))
      if (!(Number.isInteger(value) && value > 0)) return invalid(['query', field], 'Input should be greater than 0')
    const limit = Math.min(asked, 100)
    const sorted = rows.toSorted((a, b) => String(b.created_at).localeCompare(String(a.created_at)))
    const items = sorted.slice((page - 1) * limit, page * limit)
    const pagination = { total_count: rows.length, max_page: Math.ceil(rows.length / limit) }
    return { status: 200, body: { items, pagination } }
  }

  function webhooks(call: Call, place: string): Answer {
    const { method, body } = call
    const [, found] = place.match(/^\/endpoints(?:\/([^/]+))?$/) ?? [null, null]
    if (found === null) return refuse(404, 'ResourceNotFound', 'Not found')
    const mayRead = scopes.has('webhooks:write') || (scopes.has('webhooks:read') && method === 'GET')
    if (!mayRead) return ofToken(403, 'insufficient_scope', INSUFFICIENT)
    if (found) {
      const endpoint = endpoints.get(decodeURIComponent(found))
      if (!endpoint) return refuse(404, 'ResourceNotFound', 'Not found')
      if (method === 'GET') return { status: 200, body: endpoint }
      if (method !== 'DELETE') return { status: 405, body: { detail: 'Method Not Allowed' } }
      endpoints.delete(endpoint.id)
      return { status: 204 }
    }
    if (method === 'GET') return pageOf(call, [...endpoints.values()])
    const { url, format, events, name: called = null } = body
    if (!/^https?:\/\/./.test(String(url))) return invalid(['body', 'url'], 'Input should be a valid URL')
    if (!FORMATS.includes(String(format)))
      return invalid(['body', 'format'], "Input should be 'raw', 'discord' or 'slack'")
    const strange = Array.isArray(events) ? events.find((type) => !TYPES.includes(type)) : 'none'
    if (strange) return invalid(['body', 'events', '0'], `Input should be a type, not ${strange}`)
    const made: Endpoint = {
      ...{ id: randomUUID(), created_at: new Date().toISOString(), modified_at: null, name: called, format },
      ...{ url: String(url), events: events as string[], enabled: true, organization_id: id },
      secret: `whsec_${randomBytes(32).toString('base64')}`,
    }
    endpoints.set(made.id, made)
    return { status: 201, body: made }
  }

  return {
    ...server,
    get key() {
      return opens
    },
    /** Creates a new token; the former one is refused from now on. */
    rollKey() {
      opens = `polar_oat_${randomUUID().replaceAll('-', '')}`
      return opens
    },
    store,
    /** Lets the token open another organization, as if it were one of the other host. */
    opensOrganization(other: string) {
      own.id = other
      return { accessToken: opens }
    },
    /** Withdraws scopes from the token: `forbid('orders:read')`. */
    forbid(...withdrawn: string[]) {
      for (const scope of withdrawn) scopes.delete(scope)
    },
    allow(...given: string[]) {
      for (const scope of given) scopes.add(scope)
    },
    /** The registered endpoints with their secrets. */
    endpoints: () => [...endpoints.values()],
    /** Turns every endpoint off, as ten failed deliveries do. */
    turnOff() {
      for (const endpoint of endpoints.values()) endpoint.enabled = false
    },
    turnOn() {
      for (const endpoint of endpoints.values()) endpoint.enabled = true
    },
    removeEndpoints: () => endpoints.clear(),
    /** Sends an event to every endpoint that subscribes to its type. */
    send: (event: PolarEvent) =>
      Promise.all(
        [...endpoints.values()]
          .filter(({ enabled, events }) => enabled && events.includes(event.type))
          .map(({ url, secret }) => deliverPolar(url, event, secret)),
      ),
  }
}

const INVALID = 'The access token provided is expired, revoked, malformed, or invalid for other reasons.'
const INSUFFICIENT = 'The request requires higher privileges than provided by the access token.'

const refuse = (status: number, error: string, detail: string): Answer => ({ status, body: { error, detail } })
const ofToken = (status: number, error: string, error_description: string): Answer => ({
  ...{ status, body: { error, error_description }, headers: { 'www-authenticate': 'Bearer realm="polar"' } },
})
const invalid = (loc: string[], msg: string): Answer => ({
  status: 422,
  body: { error: 'RequestValidationError', detail: [{ loc, msg, type: 'value_error' }] },
})
