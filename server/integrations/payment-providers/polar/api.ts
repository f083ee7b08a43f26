import { type ProviderJson, parseInteger, parseObject, parseObjects, parseText } from '../parse-values.ts'
import type { Credentials, ProviderAccess } from '../provider.ts'
import { createJsonClient } from '../provider-calls.ts'

const LIVE = 'api.polar.sh'

export const getHost = ({ host = LIVE }: Credentials) => host

/** Whether it is Polar itself; its sandbox is another host, with organizations and tokens of its own. */
export const isLive = (credentials: Credentials) => getHost(credentials) === LIVE

/** Creates a client of Polar for one organization's token. Every call throws ProviderError, with Polar's words. */
export function createPolarApi(credentials: Credentials, { apiUrl, outbound }: ProviderAccess) {
  const client = createJsonClient({
    outbound,
    name: 'Polar',
    root: `${apiUrl ?? `https://${getHost(credentials)}`}/v1`,
    wordsIn,
    headers: { authorization: `Bearer ${credentials.accessToken}` },
  })
  return {
    ...client,
    /** Returns a page of a list, newest first, and whether more follow. */
    async page(path: string, page: number, limit = 100): Promise<{ rows: ProviderJson[]; hasMore: boolean }> {
      const { items, pagination } = await client.get(`${path}?page=${page}&limit=${limit}`)
      return { rows: parseObjects(items), hasMore: page < parseInteger(parseObject(pagination).max_page) }
    },
  }
}

/** Returns an answer's words: one sentence, or one for each invalid field. */
function wordsIn({ detail, error_description }: ProviderJson): unknown {
  const wrong = parseObjects(detail).map(({ loc, msg }) => `${Array.isArray(loc) ? loc.at(-1) : ''}: ${msg}`)
  return parseText(detail) ?? parseText(error_description) ?? wrong.join(' ')
}
