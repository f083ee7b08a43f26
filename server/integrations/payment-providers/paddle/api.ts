import { type ProviderJson, parseObject } from '../parse-values.ts'
import type { Credentials, ProviderAccess } from '../provider.ts'
import { createJsonClient } from '../provider-calls.ts'

/** Whether the key is a live one; sandbox keys have another prefix and address. */
export const isLive = ({ apiKey = '' }: Credentials) => apiKey.startsWith('pdl_live_')

/** Creates a client of Paddle Billing for one key. Every call throws ProviderError, with Paddle's words. */
export function createPaddleApi(credentials: Credentials, { apiUrl, outbound }: ProviderAccess) {
  const client = createJsonClient({
    outbound,
    name: 'Paddle',
    wordsIn: ({ error }) => wordsOf(parseObject(error)),
    root: apiUrl ?? (isLive(credentials) ? 'https://api.paddle.com' : 'https://sandbox-api.paddle.com'),
    headers: { authorization: `Bearer ${credentials.apiKey}`, 'paddle-version': '1' },
  })
  return {
    get: async (path: string) => parseObject((await client.get(path)).data),
    /** Returns one page of a list; `next` is the path of the following one. */
    page: async (path: string) => {
      const { data, meta } = await client.get(path)
      return {
        rows: Array.isArray(data) ? data.map(parseObject) : [],
        next: nextOf(path, parseObject(parseObject(meta).pagination)),
      }
    },
    post: async (path: string, body: ProviderJson) => parseObject((await client.post(path, body)).data),
    delete: client.delete,
  }
}
export type PaddleApi = ReturnType<typeof createPaddleApi>

/** Returns the path of the next page; only the query of Paddle's address is used. */
function nextOf(path: string, { next, has_more }: ProviderJson): string | null {
  const url = has_more === true && typeof next === 'string' ? URL.parse(next) : null
  return url ? `${path.split('?')[0]}${url.search}` : null
}

function wordsOf({ detail, errors }: ProviderJson): string | null {
  const fields = Array.isArray(errors) ? errors.map(parseObject) : []
  const words = [detail, ...fields.map(({ field, message }) => `${field}: ${message}`)]
  return words.filter((one) => typeof one === 'string' && one !== '').join(' ') || null
}
