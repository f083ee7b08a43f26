import { OutboundError } from '../../platform/http/outbound.ts'
import { ProviderError, type ProviderFailure, type Reach } from '../../integrations/payment-providers/provider.ts'

/** The shape our readers know; events come in the shape of their endpoint. */
export const API_VERSION = '2025-04-30.basil'

/** Anything Stripe answers. */
export type Json = Record<string, unknown>
type Query = Record<string, string>

/** Stripe, asked with one key. Every call throws ProviderError, in Stripe's words. */
export function createStripeApi(key: string, { apiUrl, outbound }: Reach) {
  const call = async (method: string, path: string, fields: Query = {}): Promise<Json> => {
    const form = new URLSearchParams(fields).toString()
    const inQuery = method === 'GET' && form
    const answer = await outbound
      .provider(`${apiUrl ?? 'https://api.stripe.com'}/v1/${path}${inQuery ? `?${form}` : ''}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          'stripe-version': API_VERSION,
          ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(method === 'POST' && { body: form }),
        timeoutMs: 10_000,
      })
      .catch((error: unknown) => {
        if (error instanceof OutboundError) throw new ProviderError('unavailable', error.message)
        throw error
      })
    const body = parse(answer.text)
    if (answer.status < 300 && body) return body
    const { message } = (body?.error ?? {}) as { message?: unknown }
    const words = typeof message === 'string' && message ? message.slice(0, 500) : `Stripe answered ${answer.status}.`
    throw new ProviderError(
      answer.status < 300 ? 'unavailable' : (failures[answer.status] ?? other(answer.status)),
      words,
    )
  }
  return {
    get: (path: string, query?: Query) => call('GET', path, query),
    list: async (path: string, query: Query) => rowsOf(await call('GET', path, { limit: '100', ...query })),
    post: (path: string, form: Query) => call('POST', path, form),
    delete: (path: string) => call('DELETE', path),
  }
}
export type StripeApi = ReturnType<typeof createStripeApi>

const failures: Record<number, ProviderFailure> = { 401: 'refused', 403: 'forbidden', 404: 'missing' }
const other = (status: number): ProviderFailure =>
  status === 409 || status === 429 || status >= 500 ? 'unavailable' : 'invalid'

/** The rows of a list, in an answer or inside an object. */
export const rowsOf = (list: unknown): Json[] => {
  const { data } = (list ?? {}) as { data?: unknown }
  return Array.isArray(data) ? data.filter((row) => typeof row === 'object' && row !== null) : []
}

function parse(text: string): Json | null {
  try {
    const body = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : null
  } catch {
    return null
  }
}
