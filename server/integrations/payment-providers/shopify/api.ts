import { askProvider } from '../asking.ts'
import { type Credentials, ProviderError, type Reach } from '../provider.ts'
import { type Json, object } from '../reading.ts'

/** Once Shopify has given a version up, it answers as the oldest one that it keeps. */
const API_VERSION = '2026-01'

type Query = Record<string, string>
type Call = { method?: string; path: string; query?: Query; body?: Json }

/**
 * A shop's Admin API, asked by the token of its own app. An app of the Dev Dashboard has none to copy: there its client
 * id and secret are worth one for a day. Every call throws ProviderError, in Shopify's words.
 */
export function createShopifyApi(credentials: Credentials, { apiUrl, outbound }: Reach) {
  const { shop, accessToken, clientId, clientSecret } = credentials
  const root = apiUrl ?? `https://${shop}`
  let token: Promise<string> | undefined

  const ask = ({ method = 'GET', path, query = {}, body }: Call, headers: Query) => {
    const search = new URLSearchParams(query).toString()
    const request = {
      method,
      headers: { accept: 'application/json', ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }
    return askProvider(outbound, 'Shopify', `${root}/admin/${path}${search && `?${search}`}`, request, wordsIn)
  }

  async function grantToken(): Promise<string> {
    if (!clientId) throw new ProviderError('refused', 'Enter the client ID, or an Admin API access token.')
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    try {
      const { body } = await ask({ method: 'POST', path: 'oauth/access_token', body: form }, {})
      if (typeof body.access_token === 'string') return body.access_token
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'invalid') throw error
      throw new ProviderError('refused', error.message)
    }
    throw new ProviderError('unavailable', 'Shopify granted no access token.')
  }

  async function call(path: string, more: Omit<Call, 'path'> = {}) {
    token ??= accessToken ? Promise.resolve(accessToken) : grantToken()
    return ask({ path, ...more }, { 'x-shopify-access-token': await token })
  }
  const versioned = (path: string) => `api/${API_VERSION}/${path}`

  return {
    /** The app's rights, such as `read_orders`; a right to write is one to read too. */
    async scopes(): Promise<Set<string>> {
      const { body } = await call('oauth/access_scopes.json')
      const handles = rowsOf(body.access_scopes).map(({ handle }) => String(handle))
      return new Set([...handles, ...handles.map((handle) => handle.replace(/^write_/, 'read_'))])
    },
    get: async (path: string, query?: Query) => (await call(versioned(path), query && { query })).body,
    post: async (path: string, body: Json) => (await call(versioned(path), { method: 'POST', body })).body,
    delete: (path: string) => call(versioned(path), { method: 'DELETE' }),
    /** A page of a list, and by what to ask for the next one; what `first` asks for holds for those too. */
    async page(
      path: string,
      { first = {}, page, ...every }: { first?: Query; page?: string | undefined; fields?: string },
    ) {
      const query = { ...every, limit: '100', ...(page === undefined ? first : { page_info: page }) }
      const { body, headers } = await call(versioned(`${path}.json`), { query })
      return { rows: rowsOf(body[path.split('/').at(-1)!]), next: nextIn(headers.link ?? '') }
    },
  }
}
export type ShopifyApi = ReturnType<typeof createShopifyApi>

export const rowsOf = (list: unknown): Json[] =>
  Array.isArray(list) ? list.filter((row) => typeof row === 'object' && row !== null) : []

/** `Link: <https://…?page_info=…>; rel="next"`, maybe behind one for the page before. */
function nextIn(link: string): string | null {
  const [, address] = /<([^<>]*)>;\s*rel="?next"?/.exec(link) ?? []
  return (address && URL.parse(address)?.searchParams.get('page_info')) || null
}

/** `errors` is a sentence, or sentences by field; of OAuth it is `error` with a description. */
function wordsIn({ errors, error, error_description }: Json): unknown {
  if (typeof errors === 'string') return errors
  const [field, told] = Object.entries(object(errors))[0] ?? []
  if (field === undefined) return error_description ?? error
  return `${field} ${Array.isArray(told) ? told[0] : told}`
}
