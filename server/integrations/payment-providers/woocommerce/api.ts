import { buildBasicAuth } from '../../../platform/http/basic-auth.ts'
import { type Outbound, OutboundError } from '../../../platform/http/outbound.ts'
import { type ProviderJson, parseObjects } from '../parse-values.ts'
import { type Credentials, PaymentProviderError, type ProviderAccess } from '../provider.ts'
import { callProviderWithHeaders } from '../provider-calls.ts'

type Query = Record<string, string>
type Call = { method?: string; query?: Query; body?: ProviderJson }

/** WooCommerce returns a hundred at most. */
const PAGE = 50
const TIMEOUT_MS = 15_000
/** A page of large orders; the address is a user's, so not more. */
const MAX_BYTES = 5_000_000

/** Returns the store's address without a slash at its end, even if its dashboard's or its API's was entered. */
export function storeAddress({ store = '' }: Credentials): string {
  const url = URL.parse(store)
  return url ? url.origin + url.pathname.replace(/\/wp-(admin|json|login)\b.*$/, '').replace(/(?<!\/)\/+$/, '') : store
}

/** Creates a client of a store with a key and secret of its. Every call throws ProviderError, with the store's words. */
export function createWooCommerceApi(credentials: Credentials, { outbound }: ProviderAccess) {
  const { consumerKey = '', consumerSecret = '' } = credentials
  const root = `${storeAddress(credentials)}/wp-json/wc/v3`
  const basic = { authorization: buildBasicAuth(consumerKey, consumerSecret) }
  const inQuery = { consumer_key: consumerKey, consumer_secret: consumerSecret }
  /** Set once the store turns out to drop the header with the key, as some servers do. */
  let dropsHeader = false

  const send = (path: string, { method = 'GET', query, body }: Call, headers: Query) => {
    const search = new URLSearchParams(query).toString()
    const request = {
      method,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      headers: { accept: 'application/json', ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }
    return callProviderWithHeaders(
      guarded(outbound),
      'The store',
      `${root}/${path}${search && `?${search}`}`,
      request,
      wordsIn,
    )
  }

  async function ask(path: string, call: Call = {}) {
    if (!dropsHeader)
      try {
        return await send(path, call, basic)
      } catch (error) {
        if (!isKind(error, 'refused')) throw error
      }
    const answer = await send(path, { ...call, query: { ...call.query, ...inQuery } }, {})
    dropsHeader = true
    return answer
  }

  /** Changes something: a key that may only read is refused like a wrong one. */
  async function change(method: string, path: string, call: Call = {}): Promise<ProviderJson> {
    try {
      return (await ask(path, { method, ...call })).body
    } catch (error) {
      if (isKind(error, 'refused')) throw new PaymentProviderError('forbidden', error.message)
      throw error
    }
  }

  /** Returns a page of a list, and the number of the next one. */
  async function page(path: string, query: Query = {}, number = 1) {
    const { body, headers } = await ask(path, { query: { ...query, per_page: String(PAGE), page: String(number) } })
    const rows = parseObjects(body)
    const pages = Number(headers['x-wp-totalpages'])
    const isLast = Number.isFinite(pages) ? number >= pages : rows.length < PAGE
    return { rows, next: isLast ? null : number + 1 }
  }

  return {
    get: async (path: string, query: Query = {}) => (await ask(path, { query })).body,
    page,
    /** Returns a list whole. */
    async all(path: string): Promise<ProviderJson[]> {
      const all: ProviderJson[] = []
      for (let number: number | null = 1; number !== null && number <= MOST_PAGES; ) {
        const { rows, next } = await page(path, {}, number)
        all.push(...rows)
        number = next
      }
      return all
    },
    post: (path: string, body: ProviderJson) => change('POST', path, { body }),
    put: (path: string, body: ProviderJson) => change('PUT', path, { body }),
    /** Deletes for good: webhooks have no trash. */
    delete: (path: string) => change('DELETE', path, { query: { force: 'true' } }),
  }
}
export type WooCommerceApi = ReturnType<typeof createWooCommerceApi>

/** More of one list than a store has. */
const MOST_PAGES = 10

export const isKind = (error: unknown, ...kinds: string[]): error is PaymentProviderError =>
  error instanceof PaymentProviderError && kinds.includes(error.kind)

/** Sends calls as to any address of a user. */
const guarded = (outbound: Outbound): Pick<Outbound, 'provider'> => ({
  async provider(url, request) {
    const answer = await outbound.userGiven(url, request).catch((error: unknown) => {
      if (error instanceof OutboundError && error.kind === 'refused-address')
        throw new PaymentProviderError('refused', error.message, { field: 'store' })
      throw error
    })
    const { host } = new URL(url)
    if (answer.truncated) throw new OutboundError('too-large', `${host} answered more than we can use.`)
    const to = answer.status >= 300 && answer.status < 400 && URL.parse(answer.headers.location ?? '', url)
    if (to)
      throw new PaymentProviderError('invalid', `${host} leads on to ${to.origin}. Enter that address.`, {
        field: 'store',
      })
    return answer
  },
})

/** Returns the message without markup, as plugins put some into it. */
const wordsIn = ({ message }: ProviderJson) =>
  typeof message === 'string' ? message.replace(/<[^<>]*>/g, '').trim() : null
