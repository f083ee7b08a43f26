import { type Outbound, OutboundError, type OutboundRequest } from '../../platform/http/outbound.ts'
import { type ProviderJson, parseJson } from './parse-values.ts'
import { PaymentProviderError, type PaymentProviderFailure } from './provider.ts'

const TIMEOUT_MS = 10_000
/** A page of a list has a hundred orders or bills, each with its lines and refunds. */
const MAX_BYTES = 20_000_000

/**
 * Makes one call to a provider that returns JSON or no content. Throws ProviderError with the message that `wordsIn`
 * finds in the answer.
 */
export async function callProvider(...call: Parameters<typeof callProviderWithHeaders>): Promise<ProviderJson> {
  return (await callProviderWithHeaders(...call)).body
}

/** Like `callProvider`, for a provider that uses headers too. */
export async function callProviderWithHeaders(
  outbound: Pick<Outbound, 'provider'>,
  name: string,
  url: string,
  request: OutboundRequest,
  wordsIn: (answer: ProviderJson) => unknown,
): Promise<{ body: ProviderJson; headers: Record<string, string> }> {
  const answer = await outbound
    .provider(url, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, ...request })
    .catch((error: unknown) => {
      if (error instanceof OutboundError) throw new PaymentProviderError('unavailable', error.message)
      throw error
    })
  if (answer.status === 204) return { body: {}, headers: answer.headers }
  const body = parseJson(answer.text)
  if (answer.status < 300 && body) return { body, headers: answer.headers }
  const message = body && wordsIn(body)
  const words = typeof message === 'string' && message ? message.slice(0, 500) : `${name} answered ${answer.status}.`
  throw new PaymentProviderError(failureOf(answer.status), words, {
    retryAfterMs: retryAfterOf(answer.headers['retry-after']),
  })
}

type JsonClient = {
  outbound: Outbound
  name: string
  root: string
  headers: Record<string, string>
  /** Content type of the bodies. */
  contentType?: string
  wordsIn(answer: ProviderJson): unknown
}

/** Creates a client of an API that is sent JSON. Every call throws ProviderError, with the provider's words. */
export function createJsonClient({ outbound, name, root, headers, contentType = JSON_TYPE, wordsIn }: JsonClient) {
  const call = (method: string, path: string, body?: ProviderJson) => {
    const content = body && { headers: { ...headers, 'content-type': contentType }, body: JSON.stringify(body) }
    return callProvider(outbound, name, `${root}/${path}`, { method, headers, ...content }, wordsIn)
  }
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body: ProviderJson) => call('POST', path, body),
    delete: (path: string) => call('DELETE', path),
  }
}

const JSON_TYPE = 'application/json'

/** Parses seconds, or a time. */
function retryAfterOf(value: string | undefined): number | null {
  if (!value) return null
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now()
  return ms >= 0 ? ms : null
}

const failures: Record<number, PaymentProviderFailure> = { 401: 'refused', 403: 'forbidden', 404: 'missing' }

/** Classifies a status; below 300 the answer was not JSON. */
const failureOf = (status: number): PaymentProviderFailure =>
  failures[status] ?? (status < 300 || status === 409 || status === 429 || status >= 500 ? 'unavailable' : 'invalid')
