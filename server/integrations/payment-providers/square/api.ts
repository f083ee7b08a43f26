import { type ProviderJson, parseObject, parseObjects } from '../parse-values.ts'
import type { Credentials, ProviderAccess } from '../provider.ts'
import { createJsonClient } from '../provider-calls.ts'

/** The version that our readers parse; events have the version of their subscription. */
export const API_VERSION = '2025-10-16'

type Query = Record<string, string | undefined>

/** Whether it is a sandbox application, whose keys open nothing else. */
export const isSquareSandbox = ({ applicationId = '' }: Credentials) => applicationId.startsWith('sandbox-')

/** Returns Square's host for an application; the sandbox has its own. */
export const squareHost = (credentials: Credentials, { apiUrl }: Pick<ProviderAccess, 'apiUrl'>) =>
  apiUrl ?? (isSquareSandbox(credentials) ? 'https://connect.squareupsandbox.com' : 'https://connect.squareup.com')

/**
 * Creates a client of Square with a seller's token, their own or by consent. Every call throws ProviderError, with
 * Square's words.
 */
export function createSquareApi(credentials: Credentials, reach: ProviderAccess) {
  const client = createJsonClient({
    outbound: reach.outbound,
    name: 'Square',
    root: `${squareHost(credentials, reach)}/v2`,
    wordsIn,
    headers: { authorization: `Bearer ${credentials.accessToken}`, 'square-version': API_VERSION },
  })
  return {
    ...client,
    /** Returns the latest invoices of a customer. */
    async invoices(location: unknown, customer: string): Promise<ProviderJson[]> {
      const filter = { location_ids: [location], customer_ids: [customer] }
      const sort = { field: 'INVOICE_SORT_DATE', order: 'DESC' }
      return parseObjects((await client.post('invoices/search', { query: { filter, sort }, limit: 100 })).invoices)
    },
    /** Returns a page of a list, and the cursor of the next one. */
    async page(name: string, query: Query): Promise<{ rows: ProviderJson[]; next: string | null }> {
      const given = Object.entries(query).filter((field): field is [string, string] => field[1] !== undefined)
      const answer = await client.get(`${name}?${new URLSearchParams(given)}`)
      return {
        rows: parseObjects(answer[name]),
        next: typeof answer.cursor === 'string' ? answer.cursor || null : null,
      }
    },
  }
}
export type SquareApi = ReturnType<typeof createSquareApi>

export function wordsIn({ errors }: ProviderJson): unknown {
  const { detail, code } = parseObject(parseObjects(errors)[0])
  return detail ?? code
}
