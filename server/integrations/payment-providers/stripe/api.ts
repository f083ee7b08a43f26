import { type ProviderJson, parseObject } from '../parse-values.ts'
import type { Credentials, ProviderAccess } from '../provider.ts'
import { callProvider } from '../provider-calls.ts'

/** The version that our readers parse; events have the version of their endpoint. */
export const API_VERSION = '2025-04-30.basil'

type Query = Record<string, string>

/**
 * Creates a client of Stripe with the account's own key, or with the platform's for a consenting `account`. Every call
 * throws ProviderError, with Stripe's words.
 */
export function createStripeApi(
  { restrictedKey, account }: Credentials,
  { apiUrl, application, outbound }: ProviderAccess,
) {
  const call = (method: string, path: string, fields: Query = {}, once?: string): Promise<ProviderJson> => {
    const form = new URLSearchParams(fields).toString()
    const inQuery = method === 'GET' && form
    const url = `${apiUrl ?? 'https://api.stripe.com'}/v1/${path}${inQuery ? `?${form}` : ''}`
    const request = {
      method,
      headers: {
        authorization: `Bearer ${account ? application.secretKey : restrictedKey}`,
        ...(account && { 'stripe-account': account }),
        'stripe-version': API_VERSION,
        ...(once && { 'idempotency-key': once }),
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(method === 'POST' && { body: form }),
    }
    return callProvider(outbound, 'Stripe', url, request, ({ error }) => parseObject(error).message)
  }
  return {
    get: (path: string, query?: Query) => call('GET', path, query),
    list: async (path: string, query: Query) => parseRows(await call('GET', path, { limit: '100', ...query })),
    /** Returns all rows of a list, of at most so many pages. */
    async all(path: string, mostPages = 10): Promise<ProviderJson[]> {
      const rows: ProviderJson[] = []
      for (let page = 0; page < mostPages; page++) {
        const last = rows.at(-1)?.id
        const answer = await call('GET', path, { limit: '100', ...(last ? { starting_after: String(last) } : {}) })
        rows.push(...parseRows(answer))
        if (answer.has_more !== true || rows.at(-1)?.id === last) break
      }
      return rows
    },
    /** A repeat with the same key `once` returns the first answer. */
    post: (path: string, form: Query, once?: string) => call('POST', path, form, once),
    delete: (path: string) => call('DELETE', path),
  }
}
export type StripeApi = ReturnType<typeof createStripeApi>

/** Returns the rows of a list, in an answer or inside an object. */
export const parseRows = (list: unknown): ProviderJson[] => {
  const { data } = parseObject(list)
  return Array.isArray(data) ? data.filter((row) => typeof row === 'object' && row !== null) : []
}
