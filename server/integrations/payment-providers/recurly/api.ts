import { buildBasicAuth } from '../../../platform/http/basic-auth.ts'
import { type ProviderJson, parseObject, parseObjects } from '../parse-values.ts'
import type { Credentials, ProviderAccess } from '../provider.ts'
import { createJsonClient } from '../provider-calls.ts'

/** The version that our readers parse. */
const VERSION = 'v2021-02-25'

/** Returns the host of a site's region. */
const hostOf = ({ region = '' }: Credentials) =>
  /^eu$/i.test(region) ? 'https://v3.eu.recurly.com' : 'https://v3.recurly.com'

/** Creates a client of Recurly for one site's key. Every call throws ProviderError, with Recurly's words. */
export function createRecurlyApi(credentials: Credentials, { apiUrl, outbound }: ProviderAccess) {
  const client = createJsonClient({
    outbound,
    name: 'Recurly',
    root: apiUrl ?? hostOf(credentials),
    headers: {
      authorization: buildBasicAuth(credentials.privateKey),
      accept: `application/vnd.recurly.${VERSION}+json`,
    },
    wordsIn: ({ error }) => parseObject(error).message,
  })
  return {
    get: client.get,
    /** Returns one page of a list; `next` is the path of the following one. */
    async page(path: string): Promise<{ rows: ProviderJson[]; next: string | null }> {
      const { data, has_more, next } = await client.get(path)
      return { rows: parseObjects(data), next: has_more === true ? nextOf(path, next) : null }
    },
  }
}
export type RecurlyApi = ReturnType<typeof createRecurlyApi>

/** Returns the path of the next page; only the query of the given address is used, which may be a path. */
function nextOf(path: string, next: unknown): string | null {
  const url = typeof next === 'string' ? URL.parse(next, 'https://v3.recurly.com') : null
  return url ? `${path.split('?')[0]}${url.search}` : null
}
