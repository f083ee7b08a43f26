import { emptySite, recurlyId, SITE } from './recurly-events.ts'
import { type Answer, type Call, type Fields, startServer } from './server.ts'

const VERSION = 'v2021-02-25'
const ACCEPTED = [`application/vnd.recurly.${VERSION}`, `application/vnd.recurly.${VERSION}+json`]
/** The query parameters of every list. */
const COMMON = ['limit', 'order', 'sort', 'begin_time', 'end_time', 'cursor']
const MOST = 200

type Options = { key?: string; site?: string; mode?: 'production' | 'sandbox' | 'development'; currency?: string }

/** One site of Recurly on loopback, read by its private key; fill it with `recurlyInvoice({ store })`. */
export async function standInRecurly(options: Options = {}) {
  const { site = SITE, currency = 'USD' } = options
  let key = options.key ?? '5f0c1d2e3b4a59687786950413223140'
  let mode = options.mode ?? 'production'
  /** Requests left until the limit is reached. */
  let left = Number.POSITIVE_INFINITY
  const store = emptySite()
  const forbidden = new Set<string>()

  const server = await startServer((call) => {
    const answer = answerTo(call)
    const limit = { 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': String(Math.min(999, left)) }
    const reset = String(Math.floor(Date.now() / 1000) + 60)
    const headers = { 'recurly-version': `recurly.${VERSION}`, 'x-request-id': recurlyId(), 'x-ratelimit-reset': reset }
    return { ...answer, headers: { ...headers, ...limit, ...answer.headers } }
  })

  function answerTo(call: Call): Answer {
    if (call.headers.authorization !== `Basic ${Buffer.from(`${key}:`).toString('base64')}`)
      return refuse(401, 'unauthorized', 'The API key is not valid for this site.')
    if (!ACCEPTED.includes(String(call.headers.accept)))
      return refuse(
        406,
        'invalid_api_version',
        'That accept header isn’t in the format we use to specify an API version.',
        {
          acceptable_accept_headers: ACCEPTED,
        },
      )
    left -= 1
    if (left < 0) return refuse(429, 'rate_limited', 'You have made too many API requests in the last 5 minutes.')
    const [, name = '', id, of] = call.path.match(/^\/([a-z_]+)(?:\/([^/]+))?(?:\/([a-z_]+))?$/) ?? []
    if (forbidden.has(name)) return refuse(403, 'invalid_permissions', `This API key may not read ${name}.`)
    if (call.method !== 'GET') return missing('the path')
    if (name === 'accounts' && of === 'invoices') {
      const account = one('accounts', decodeURIComponent(id!))
      const isOwn = (invoice: Fields) => (invoice.account as Fields).id === account?.id
      return account ? invoicesIn(call, isOwn) : missing(`Account with id = ${id}`)
    }
    if (of) {
      const invoice = name === 'invoices' ? one('invoices', id!) : undefined
      const lists: Record<string, () => Fields[]> = {
        coupon_redemptions: () => store.redemptions.get(String(invoice!.id)) ?? [],
        related_invoices: () => related(invoice!),
      }
      const list = lists[of]
      return invoice && list ? pageOf(call, list(), []) : missing(`Invoice with id = ${id}`)
    }
    if (!id) return listed(call, name)
    const found = one(name, decodeURIComponent(id))
    return found ? { status: 200, body: found } : missing(`${name} with id = ${id}`)
  }

  /** Finds an object by its id, or by another name with its prefix. */
  function one(name: string, id: string): Fields | undefined {
    const [, prefix, value = id] = /^(number|uuid|code|subdomain)-(.+)$/.exec(id) ?? []
    return thingsOf(name).find((thing) => String(thing[prefix ?? 'id']) === value)
  }

  const thingsOf = (name: string): Fields[] =>
    name === 'transactions'
      ? [...store.invoices.values()].flatMap(withInvoice)
      : name === 'accounts' || name === 'subscriptions' || name === 'invoices'
        ? [...store[name].values()]
        : []

  function listed(call: Call, name: string): Answer {
    if (name === 'sites') return pageOf(call, [ownSite()], ['state'])
    if (name === 'invoices') return invoicesIn(call, () => true)
    if (name === 'subscriptions') return pageOf(call, thingsOf(name), ['state'])
    return missing('the path')
  }

  function invoicesIn(call: Call, isAmong: (invoice: Fields) => boolean): Answer {
    const { type, state } = call.query
    const isAsked = (one: Fields) =>
      isAmong(one) &&
      (type === undefined || (type === 'non-legacy' ? one.type !== 'legacy' : one.type === type)) &&
      (state === undefined || one.state === state)
    return pageOf(call, thingsOf('invoices').filter(isAsked), ['type', 'state'])
  }

  const ownSite = () => ({
    ...{ id: site, object: 'site', subdomain: 'northwind', mode },
    settings: { default_currency: currency, accepted_currencies: [currency] },
  })

  /** Returns the charge invoice of a credit invoice, or the credit invoices of a charge invoice. */
  const related = (invoice: Fields) =>
    [...store.invoices.values()].filter(
      ({ id }) => store.refundOf.get(String(invoice.id)) === id || store.refundOf.get(String(id)) === invoice.id,
    )

  /** Returns one page; `next` leads to the following one. */
  function pageOf({ path, query }: Call, all: Fields[], filters: string[]): Answer {
    const { ids, ...rest } = query as Record<string, string>
    if (ids !== undefined) {
      if (Object.keys(rest).length > 0)
        return refuse(400, 'bad_request', 'The ids parameter can’t be used with any other parameter.')
      const wanted = ids.split(',')
      const data = all.filter(({ id }) => wanted.includes(String(id)))
      return { status: 200, body: { object: 'list', has_more: false, next: null, data } }
    }
    const unknown = Object.keys(rest).find((field) => !COMMON.includes(field) && !filters.includes(field))
    const limit = Number(rest.limit ?? 20)
    if (unknown || !Number.isInteger(limit) || limit < 1 || limit > MOST)
      return refuse(400, 'bad_request', `${unknown ?? 'limit'} is invalid.`, {
        params: [{ param: unknown ?? 'limit' }],
      })
    const { sort = 'created_at', order = 'desc', begin_time, end_time, cursor = '0' } = rest
    const time = (thing: Fields) => String(thing[sort] ?? '')
    const rows = all
      .filter((thing) => (!begin_time || time(thing) >= begin_time) && (!end_time || time(thing) <= end_time))
      .sort((a, b) => (time(a) < time(b) ? -1 : time(a) > time(b) ? 1 : 0) * (order === 'asc' ? 1 : -1))
    const from = Number(cursor)
    const has_more = from + limit < rows.length
    const following = new URLSearchParams({ ...rest, cursor: String(from + limit) })
    const next = has_more ? `${path}?${following}` : null
    return { status: 200, body: { object: 'list', has_more, next, data: rows.slice(from, from + limit) } }
  }

  return {
    ...server,
    ...{ store, site },
    get key() {
      return key
    },
    /** Creates a new key; the former one is refused from now on. */
    rollKey() {
      key = `${key.slice(0, 24)}${recurlyId().slice(-8)}`
      return key
    },
    setMode(next: NonNullable<Options['mode']>) {
      mode = next
    },
    /** Refuses requests after this many; without a number none. */
    limit(requests = Number.POSITIVE_INFINITY) {
      left = requests
    },
    forbid: (name: string) => void forbidden.add(name),
    allow: (name: string) => void forbidden.delete(name),
  }
}

/** Returns the transactions of an invoice as they are shown alone. */
const withInvoice = ({ id, number, type, state, transactions }: Fields): Fields[] =>
  (transactions as Fields[]).map((one) => ({ ...one, invoice: { id, object: 'invoice', number, type, state } }))

const refuse = (status: number, type: string, message: string, more: Fields = {}): Answer => ({
  status,
  body: { error: { type, message, ...more } },
})

const missing = (what: string) => refuse(404, 'not_found', `Couldn't find ${what}`)
