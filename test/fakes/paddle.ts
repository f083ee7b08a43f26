import { deliverPaddle, type PaddleEvent, type PaddleStore, paddleId } from './paddle-events.ts'
import { type Answer, type Call, type Fields, startServer } from './server.ts'

/** Filters of each list besides `after`, `order_by`, `per_page` and `id`, and its largest page size. */
const lists: Record<string, { prefix: string; filters: string[]; perPage: number; order: string[] }> = {
  transactions: {
    ...{
      prefix: 'txn',
      filters: ['status', 'customer_id', 'subscription_id', 'updated_at', 'created_at', 'billed_at'],
    },
    ...{ perPage: 30, order: ['id', 'created_at', 'updated_at', 'billed_at'] },
  },
  adjustments: {
    ...{
      prefix: 'adj',
      filters: ['action', 'customer_id', 'status', 'subscription_id', 'transaction_id'],
      perPage: 50,
    },
    order: ['id'],
  },
  customers: { prefix: 'ctm', filters: ['email', 'search', 'status'], perPage: 200, order: ['id'] },
  discounts: { prefix: 'dsc', filters: ['code', 'status'], perPage: 200, order: ['id'] },
  events: { prefix: 'evt', filters: [], perPage: 200, order: ['id'] },
}
const COMMON = ['after', 'order_by', 'per_page', 'id']

type Options = { key?: string }

/** Paddle on loopback: lists and reads over `store`, notification settings; fill it with `paddleTransaction`. */
export async function standInPaddle({ key = 'pdl_sdbx_apikey_01standin_StandIn0000000000001_AbC' }: Options = {}) {
  const store: PaddleStore = new Map()
  const settings = new Map<string, { destination: string; secret: string; events: string[]; settings: Fields }>()
  const forbidden = new Set<string>()
  let opens = key

  const server = await startServer((call) => {
    const answer = answerTo(call)
    return { ...answer, headers: { 'x-request-id': paddleId('req'), ...answer.headers } }
  })

  function answerTo(call: Call): Answer {
    if (call.headers.authorization !== `Bearer ${opens}`)
      return refuse(403, 'authentication_malformed', 'Authentication header included, but incorrectly formatted')
    const [, name = '', id] = call.path.match(/^\/([a-z-]+)(?:\/([^/]+))?$/) ?? []
    if (forbidden.has(name) || forbidden.has(`${call.method} ${name}`))
      return refuse(403, 'forbidden', "You aren't permitted to perform this request.")
    if (name === 'notification-settings') return notificationSettings(call, id)
    const list = lists[name]
    if (!list || call.method !== 'GET') return refuse(404, 'invalid_url', 'Invalid URL or path')
    if (!id) return pageOf(call, name, list)
    const found = store.get(decodeURIComponent(id))
    return found ? { status: 200, body: { data: found, meta } } : refuse(404, 'not_found', `Entity ${id} not found`)
  }

  function pageOf({ query }: Call, name: string, { prefix, filters, perPage, order }: (typeof lists)[string]): Answer {
    const unknown = Object.keys(query).find((field) => !COMMON.includes(field) && !filters.includes(field))
    if (unknown) return invalid(unknown, 'is not a valid query parameter')
    const { after, order_by, per_page = '50', ...asked } = query
    const [, by = 'id', direction = 'DESC'] = /^(\w+)\[(ASC|DESC)\]$/.exec(String(order_by)) ?? []
    if (!order.includes(by)) return invalid('order_by', `must be one of ${order}`)
    const idOf = (row: Fields) => String(row[prefix === 'evt' ? 'event_id' : 'id'])
    const rows = [...store.values()]
      .filter((row) => idOf(row).startsWith(`${prefix}_`) && fits(row, asked))
      .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1) * (direction === 'ASC' ? 1 : -1))
    const start = after ? rows.findIndex((row) => idOf(row) === after) + 1 : 0
    if (after && start === 0) return invalid('after', 'is not a known entity')
    const size = Math.min(Number(per_page), perPage)
    const data = rows.slice(start, start + size)
    const has_more = start + size < rows.length
    const next = new URL(`https://sandbox-api.paddle.com/${name}`)
    for (const [field, value] of Object.entries(flat({ ...query }))) next.searchParams.set(field, value)
    if (data.length > 0) next.searchParams.set('after', idOf(data.at(-1)!))
    const pagination = { per_page: size, next: next.href, has_more, estimated_total: rows.length }
    return { status: 200, body: { data, meta: { ...meta, pagination } } }
  }

  function notificationSettings({ method, body }: Call, id: string | undefined): Answer {
    if (method === 'DELETE')
      return settings.delete(String(id)) ? { status: 204 } : refuse(404, 'not_found', `Entity ${id} not found`)
    if (method !== 'POST') return refuse(404, 'invalid_url', 'Invalid URL or path')
    const { description, type, destination, subscribed_events: events } = body
    if (!description) return invalid('description', 'is required')
    if (type !== 'url') return invalid('type', 'must be url or email')
    if (!/^https?:\/\//.test(String(destination))) return invalid('destination', 'must be a valid URL')
    if (!Array.isArray(events) || events.length === 0) return invalid('subscribed_events', 'must not be empty')
    const made = paddleId('ntfset')
    const secret = `pdl_${made}_${paddleId('x').slice(2)}`
    settings.set(made, { destination: String(destination), secret, events, settings: body })
    const data = { ...body, id: made, active: true, endpoint_secret_key: secret }
    return { status: 201, body: { data, meta } }
  }

  const destinations = () => [...settings].map(([id, setting]) => ({ id, ...setting }))
  return {
    ...server,
    get key() {
      return opens
    },
    /** Creates a new key; the former one is refused from now on. */
    rollKey() {
      opens = `pdl_sdbx_apikey_${paddleId('x').slice(2)}_rolled`
      return opens
    },
    store,
    /** Withdraws rights from the key: `forbid('customers')`, `forbid('POST notification-settings')`. */
    forbid(...names: string[]) {
      for (const name of names) forbidden.add(name)
    },
    allow(...names: string[]) {
      for (const name of names) forbidden.delete(name)
    },
    /** The registered addresses with their secrets. */
    destinations,
    /** Sends an event to every registered address that subscribes to its type. */
    send: (event: PaddleEvent) =>
      Promise.all(
        destinations()
          .filter(({ events }) => events.includes(event.event_type))
          .map(({ destination, secret }) => deliverPaddle(destination, event, secret)),
      ),
  }
}

const meta = { request_id: '5c5b7d2c-1c1d-4a55-9e2c-1f0c5c3f0001' }

function fits(row: Fields, asked: Fields) {
  return Object.entries(asked).every(([field, wanted]) => {
    if (typeof wanted === 'object' && wanted !== null) {
      const { GTE, LTE, LT } = wanted as Record<string, string>
      const value = String(row[field])
      const isBefore = (LTE === undefined || value <= LTE) && (LT === undefined || value < LT)
      return (GTE === undefined || value >= GTE) && isBefore
    }
    return String(wanted).split(',').includes(String(row[field]))
  })
}

/** Query fields in their original spelling: `{updated_at: {GTE: x}}` is `updated_at[GTE]`. */
const flat = (query: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([field, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([part, text]) => [`${field}[${part}]`, String(text)])
        : [[field, String(value)]],
    ),
  )

const refuse = (status: number, code: string, detail: string, errors?: Fields[]): Answer => ({
  status,
  body: {
    error: {
      type: 'request_error',
      code,
      detail,
      documentation_url: `https://developer.paddle.com/errors/${code}`,
      errors,
    },
    meta,
  },
})

const invalid = (field: string, message: string) => refuse(400, 'bad_request', 'Invalid request.', [{ field, message }])
