import { callProvider } from '../asking.ts'
import type { Credentials, Reach } from '../provider.ts'
import { type Json, object } from '../reading.ts'

/** The shape our readers know; events come in the shape of their subscription. */
export const API_VERSION = '2025-10-16'

type Query = Record<string, string | undefined>

/** Keys of the sandbox open nothing else. */
export const isSandbox = ({ applicationId = '' }: Credentials) => applicationId.startsWith('sandbox-')

/** Square's host for an application; the sandbox has its own. */
export const hostOf = (credentials: Credentials, { apiUrl }: Pick<Reach, 'apiUrl'>) =>
  apiUrl ?? (isSandbox(credentials) ? 'https://connect.squareupsandbox.com' : 'https://connect.squareup.com')

/** Square, asked with a seller's token, their own or one they allowed. Every call throws ProviderError, in Square's words. */
export function createSquareApi(credentials: Credentials, reach: Reach) {
  const { outbound } = reach
  const host = hostOf(credentials, reach)
  const call = (method: string, path: string, body?: Json): Promise<Json> => {
    const headers = {
      authorization: `Bearer ${credentials.accessToken}`,
      'square-version': API_VERSION,
      ...(body && { 'content-type': 'application/json' }),
    }
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return callProvider(outbound, 'Square', `${host}/v2/${path}`, request, wordsIn)
  }
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body: Json) => call('POST', path, body),
    delete: (path: string) => call('DELETE', path),
    /** The latest invoices of a customer. */
    async invoices(location: unknown, customer: string): Promise<Json[]> {
      const filter = { location_ids: [location], customer_ids: [customer] }
      const sort = { field: 'INVOICE_SORT_DATE', order: 'DESC' }
      return rowsOf((await call('POST', 'invoices/search', { query: { filter, sort }, limit: 100 })).invoices)
    },
    /** A page of a list, and by what to ask for the next one. */
    async page(name: string, query: Query): Promise<{ rows: Json[]; next: string | null }> {
      const given = Object.entries(query).filter((field): field is [string, string] => field[1] !== undefined)
      const answer = await call('GET', `${name}?${new URLSearchParams(given)}`)
      return { rows: rowsOf(answer[name]), next: typeof answer.cursor === 'string' ? answer.cursor || null : null }
    },
  }
}
export type SquareApi = ReturnType<typeof createSquareApi>

export const rowsOf = (list: unknown): Json[] =>
  Array.isArray(list) ? list.filter((row) => typeof row === 'object' && row !== null) : []

export function wordsIn({ errors }: Json): unknown {
  const { detail, code } = object(rowsOf(errors)[0])
  return detail ?? code
}
