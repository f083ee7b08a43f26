import { deliverLemon, type LemonEvent, type LemonStore, type LemonThing } from './lemon-squeezy-events.ts'
import { type Answer, type Call, type Fields, startServer } from './server.ts'

/** The filters of each list. */
const lists: Record<string, string[]> = {
  stores: [],
  orders: ['store_id', 'user_email', 'order_number'],
  subscriptions: ['store_id', 'order_id', 'order_item_id', 'product_id', 'variant_id', 'user_email', 'status'],
  'discount-redemptions': ['discount_id', 'order_id'],
  'subscription-invoices': ['store_id', 'status', 'refunded', 'subscription_id'],
}

type Options = { key?: string; stores?: { id: number; name: string; currency?: string }[]; testMode?: boolean }

/** Lemon Squeezy on loopback: the user, stores, lists and reads over `store`, webhooks; fill it with `lemonOrder`. */
export async function standInLemonSqueezy(options: Options = {}) {
  const { stores = [{ id: 1, name: 'Lemon Stand' }], testMode = true } = options
  let key = options.key ?? 'eyJ0eXAiOiJKV1Qi.eyJhdWQiOiIxIn0.standin-signature_01'
  const store: LemonStore = new Map()
  const webhooks = new Map<
    string,
    { url: string; secret: string; events: string[]; store: string; test_mode: boolean }
  >()
  let made = 0

  const server = await startServer((call) => {
    const { headers, path } = call
    if (headers.authorization !== `Bearer ${key}`) return { status: 401, body: { message: 'Unauthenticated.' } }
    if (headers.accept !== 'application/vnd.api+json') return refuse(406, 'Not Acceptable', 'Accept is wrong.')
    if (path === '/v1/users/me') return { status: 200, body: { meta: { test_mode: testMode }, jsonapi, data: user } }
    const [, name = '', id] = path.match(/^\/v1\/([a-z-]+)(?:\/([^/]+))?$/) ?? []
    if (name === 'webhooks') return webhook(call, id)
    const filters = lists[name]
    if (!filters || call.method !== 'GET') return refuse(404, 'Not Found', 'The page does not exist.')
    if (!id) return pageOf(call, name, filters)
    const found = store.get(`${name}/${decodeURIComponent(id)}`)
    return found
      ? { status: 200, body: { jsonapi, data: found } }
      : refuse(404, 'Not Found', 'The resource does not exist.')
  })

  const things = (name: string): LemonThing[] =>
    name === 'stores'
      ? stores.map(({ id, ...rest }) => ({ type: 'stores', id: String(id), attributes: { currency: 'USD', ...rest } }))
      : [...store.values()].filter(({ type }) => type === name)

  function pageOf({ query }: Call, name: string, filters: string[]): Answer {
    const { filter = {}, page = {}, ...strange } = query as Record<string, Record<string, string>>
    const unknown = Object.keys(filter).find((field) => !filters.includes(field)) ?? Object.keys(strange)[0]
    if (unknown) return refuse(400, 'Bad Request', `Filter parameter ${unknown} is not allowed.`)
    const size = Math.min(Number(page.size ?? 10), 100)
    const number = Number(page.number ?? 1)
    const rows = things(name)
      .filter(({ attributes }) => Object.entries(filter).every(([field, value]) => String(attributes[field]) === value))
      .sort((a, b) => String(b.attributes.created_at).localeCompare(String(a.attributes.created_at)))
    const last = Math.max(1, Math.ceil(rows.length / size))
    const address = (at: number) => {
      const url = new URL(`https://api.lemonsqueezy.com/v1/${name}`)
      for (const [field, value] of Object.entries(filter)) url.searchParams.set(`filter[${field}]`, value)
      url.searchParams.set('page[number]', String(at))
      url.searchParams.set('page[size]', String(size))
      return url.href
    }
    const data = rows.slice((number - 1) * size, number * size)
    const links = { first: address(1), last: address(last), ...(number < last && { next: address(number + 1) }) }
    const shown = { currentPage: number, lastPage: last, perPage: size, total: rows.length }
    return { status: 200, body: { meta: { page: shown }, jsonapi, links, data } }
  }

  function webhook({ method, body, headers }: Call, id: string | undefined): Answer {
    if (method === 'DELETE')
      return webhooks.delete(String(id)) ? { status: 204 } : refuse(404, 'Not Found', 'The resource does not exist.')
    if (headers['content-type'] !== 'application/vnd.api+json')
      return refuse(415, 'Unsupported Media Type', 'The request entity has a media type which is not supported.')
    const { attributes = {}, relationships = {} } = (body.data ?? {}) as Record<string, Fields>
    const { url, secret, events, test_mode } = attributes as {
      url: string
      secret: string
      events: string[]
      test_mode: boolean
    }
    const of = (relationships.store as { data?: { id?: string } } | undefined)?.data?.id ?? ''
    if (!/^https?:\/\//.test(url)) return refuse(422, 'Unprocessable Entity', 'The url must be a valid URL.')
    if (!secret || secret.length < 6 || secret.length > 40)
      return refuse(422, 'Unprocessable Entity', 'The secret must be between 6 and 40 characters.')
    if (!stores.some((one) => String(one.id) === of))
      return refuse(404, 'Not Found', 'The related resource does not exist.')
    const number = String(++made)
    webhooks.set(number, { url, secret, events, store: of, test_mode })
    return {
      status: 201,
      body: { jsonapi, data: { type: 'webhooks', id: number, attributes: { url, events, test_mode } } },
    }
  }

  return {
    ...server,
    get key() {
      return key
    },
    /** Creates a new key; the former one is refused from now on. */
    rollKey() {
      key = `${key}0`
      return key
    },
    store,
    /** The registered webhooks with their secrets. */
    webhooks: () => [...webhooks.values()],
    /** Sends an event to every registered webhook that subscribes to it. */
    send: (event: LemonEvent) =>
      Promise.all(
        [...webhooks.values()]
          .filter(({ events }) => events.includes(String(event.meta.event_name)))
          .map(({ url, secret }) => deliverLemon(url, event, secret)),
      ),
  }
}

const jsonapi = { version: '1.0' }
const user = { type: 'users', id: '1', attributes: { name: 'Dan R', email: 'dan@shop.example' } }

const refuse = (status: number, title: string, detail: string): Answer => ({
  status,
  body: { jsonapi, errors: [{ detail, status: String(status), title }] },
})
