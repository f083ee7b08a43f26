import { buildBasicAuth } from '../../../platform/http/basic-auth.ts'
import { type ProviderJson, parseObject, parseObjects } from '../parse-values.ts'
import { type Credentials, PaymentProviderError, type ProviderAccess } from '../provider.ts'
import { createJsonClient } from '../provider-calls.ts'

/** The shape of a site's name: one label of Chargebee's domain, and nothing that could lead elsewhere. */
export const SITE = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const TEST = /-test$/

/** Whether it is a test site, which has keys and data of its own. */
export const isTestSite = ({ site = '' }: Credentials) => TEST.test(site)

/** Returns the name that a live site and its test site share. */
export const nameOfSite = ({ site = '' }: Credentials) => site.replace(TEST, '')

type Named = 'transaction' | 'invoice' | 'customer' | 'subscription'
type Query = Record<string, string>

/** Creates a client of a Chargebee site. Every call throws ProviderError, with Chargebee's words. */
export function createChargebeeApi({ site = '', apiKey = '' }: Credentials, { apiUrl, outbound }: ProviderAccess) {
  if (!SITE.test(site)) throw new PaymentProviderError('refused', 'This isn’t the name of a Chargebee site.')
  const client = createJsonClient({
    outbound,
    name: 'Chargebee',
    wordsIn: ({ message, api_error_code }) => message ?? api_error_code,
    root: `${apiUrl ?? `https://${site}.chargebee.com`}/api/v2`,
    headers: { authorization: buildBasicAuth(apiKey) },
  })
  return {
    read: async (name: Named, id: string) =>
      parseObject((await client.get(`${name}s/${encodeURIComponent(id)}`))[name]),
    /** Returns a page of a list, each row with its objects by name, and the offset of the next one. */
    async page(name: Named, query: Query, offset?: string) {
      const parameters = { limit: '100', ...query, ...(offset && { offset }) }
      const { list, next_offset } = await client.get(`${name}s?${new URLSearchParams(parameters)}`)
      const rows: ProviderJson[] = parseObjects(list)
      return { rows, next: typeof next_offset === 'string' ? next_offset || null : null }
    },
  }
}
export type ChargebeeApi = ReturnType<typeof createChargebeeApi>
