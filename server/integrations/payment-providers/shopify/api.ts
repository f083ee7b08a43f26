import { type ProviderJson, parseObject, parseObjects } from '../parse-values.ts'
import { type Credentials, PaymentProviderError, type ProviderAccess } from '../provider.ts'
import { callProviderWithHeaders } from '../provider-calls.ts'

/** After Shopify retires a version, it answers with the oldest one it supports. */
const API_VERSION = '2026-01'

type Query = Record<string, string>
type Call = { method?: string; path: string; query?: Query; body?: ProviderJson }

/**
 * Creates a client of a shop's Admin API with its own app's token. An app of the Dev Dashboard has none to copy: its
 * client id and secret are exchanged for a token valid for a day. Every call throws ProviderError, with Shopify's
 * words.
 */
export function createShopifyApi(credentials: Credentials, { apiUrl, outbound }: ProviderAccess) {
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
    return callProviderWithHeaders(
      outbound,
      'Shopify',
      `${root}/admin/${path}${search && `?${search}`}`,
      request,
      wordsIn,
    )
  }

  async function grantToken(): Promise<string> {
    if (!clientId) throw new PaymentProviderError('refused', 'Enter the client ID, or an Admin API access token.')
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    try {
      const { body } = await ask({ method: 'POST', path: 'oauth/access_token', body: form }, {})
      if (typeof body.access_token === 'string') return body.access_token
    } catch (error) {
      if (!(error instanceof PaymentProviderError) || error.kind !== 'invalid') throw error
      throw new PaymentProviderError('refused', error.message)
    }
    throw new PaymentProviderError('unavailable', 'Shopify didn’t grant an access token.')
  }

  async function call(path: string, more: Omit<Call, 'path'> = {}) {
    token ??= accessToken ? Promise.resolve(accessToken) : grantToken()
    return ask({ path, ...more }, { 'x-shopify-access-token': await token })
  }
  const versioned = (path: string) => `api/${API_VERSION}/${path}`

  return {
    /** Returns the app's rights, such as `read_orders`; a right to write includes reading. */
    async scopes(): Promise<Set<string>> {
      const { body } = await call('oauth/access_scopes.json')
      const handles = parseObjects(body.access_scopes).map(({ handle }) => String(handle))
      return new Set([...handles, ...handles.map((handle) => handle.replace(/^write_/, 'read_'))])
    },
    get: async (path: string, query?: Query) => (await call(versioned(path), query && { query })).body,
    post: async (path: string, body: ProviderJson) => (await call(versioned(path), { method: 'POST', body })).body,
    /** Returns the data of a GraphQL request. */
    async graphql(query: string, variables: ProviderJson): Promise<ProviderJson> {
      const { body } = await call(versioned('graphql.json'), { method: 'POST', body: { query, variables } })
      const [error] = parseObjects(body.errors)
      if (!error) return parseObject(body.data)
      const code = parseObject(error.extensions).code
      const kind = code === 'ACCESS_DENIED' ? 'forbidden' : code === 'THROTTLED' ? 'unavailable' : 'invalid'
      throw new PaymentProviderError(kind, String(error.message))
    },
    put: (path: string, body: ProviderJson) => call(versioned(path), { method: 'PUT', body }),
    delete: (path: string) => call(versioned(path), { method: 'DELETE' }),
    /** Returns a page of a list, and the parameter for the next one; parameters in `first` also apply to those. */
    async page(
      path: string,
      { first = {}, page, ...every }: { first?: Query; page?: string | undefined; fields?: string },
    ) {
      const query = { ...every, limit: '100', ...(page === undefined ? first : { page_info: page }) }
      const { body, headers } = await call(versioned(`${path}.json`), { query })
      return { rows: parseObjects(body[path.split('/').at(-1)!]), next: nextIn(headers.link ?? '') }
    },
  }
}
export type ShopifyApi = ReturnType<typeof createShopifyApi>

/** Parses `Link: <https://…?page_info=…>; rel="next"`, maybe after one for the previous page. */
function nextIn(link: string): string | null {
  const [, address] = /<([^<>]*)>;\s*rel="?next"?/.exec(link) ?? []
  return (address && URL.parse(address)?.searchParams.get('page_info')) || null
}

/** Returns the message: `errors` is a sentence, or sentences by field; for OAuth it is `error` with a description. */
function wordsIn({ errors, error, error_description }: ProviderJson): unknown {
  if (typeof errors === 'string') return errors
  const [field, messages] = Object.entries(parseObject(errors))[0] ?? []
  if (field === undefined) return error_description ?? error
  return `${field} ${Array.isArray(messages) ? messages[0] : messages}`
}
