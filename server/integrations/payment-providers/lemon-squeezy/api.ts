import { type ProviderJson, parseObject, parseText } from '../parse-values.ts'
import { type Credentials, PaymentProviderError, type ProviderAccess } from '../provider.ts'
import { createJsonClient } from '../provider-calls.ts'
import { parseId } from './objects.ts'

const JSON_API = 'application/vnd.api+json'

/** Creates a client of Lemon Squeezy for one key. Every call throws ProviderError, with its words. */
export function createLemonSqueezyApi({ apiKey }: Credentials, { apiUrl, outbound }: ProviderAccess) {
  const client = createJsonClient({
    outbound,
    name: 'Lemon Squeezy',
    root: `${apiUrl ?? 'https://api.lemonsqueezy.com'}/v1`,
    wordsIn: wordsOf,
    headers: { authorization: `Bearer ${apiKey}`, accept: JSON_API },
    contentType: JSON_API,
  })
  return {
    ...client,
    /** Returns one page of a list; `next` is the path of the following one. */
    page: async (path: string) => {
      const { data, links } = await client.get(path)
      return { rows: Array.isArray(data) ? data.map(parseObject) : [], next: nextOf(path, parseObject(links).next) }
    },
  }
}
export type LemonSqueezyApi = ReturnType<typeof createLemonSqueezyApi>

/** Returns the path of the next page; only the query of the given address is used. */
function nextOf(path: string, next: unknown): string | null {
  const url = typeof next === 'string' ? URL.parse(next) : null
  return url ? `${path.split('?')[0]}${url.search}` : null
}

function wordsOf({ errors, message }: ProviderJson): string | null {
  const [first] = Array.isArray(errors) ? errors.map(parseObject) : []
  return parseText(first?.detail) ?? parseText(first?.title) ?? parseText(message)
}

/** Returns the store of a connection. A key opens every store of its user, but webhooks belong to one. */
export async function getStore(credentials: Credentials, reach: ProviderAccess) {
  const { rows } = await createLemonSqueezyApi(credentials, reach).page('stores?page[size]=100')
  const stores = rows.map(readStore)
  const { storeId } = credentials
  const chosen = storeId ? stores.find(({ id }) => id === storeId) : stores.length === 1 ? stores[0] : undefined
  if (chosen) return chosen
  const named = stores.map(({ id, name }) => `${name} (${id})`).join(', ')
  if (stores.length === 0) throw new PaymentProviderError('forbidden', 'This key can’t access any store.')
  const words = storeId
    ? `This key can access ${named}, not the store ${storeId}.`
    : `This key can access ${named}. Enter the ID of one store.`
  throw new PaymentProviderError('forbidden', words, { field: 'storeId' })
}

function readStore({ id, attributes }: ProviderJson) {
  const { name, currency } = parseObject(attributes)
  return { id: parseId(id) ?? '', name: parseText(name, 200), currency: parseText(currency)?.toLowerCase() ?? null }
}
