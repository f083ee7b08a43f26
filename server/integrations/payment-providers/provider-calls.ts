import { type Outbound, OutboundError, type OutboundRequest } from '../../platform/http/outbound.ts'
import { jsonIn, type ProviderJson } from './parse-values.ts'
import {
  type GatheredFacts,
  PaymentProviderError,
  type PaymentProviderFailure,
  type ProviderAccess,
} from './provider.ts'

const TIMEOUT_MS = 10_000

/**
 * Makes one call to a provider that returns JSON or no content. Throws ProviderError with the message that `wordsIn`
 * finds in the answer.
 */
export async function callProvider(...call: Parameters<typeof askProvider>): Promise<ProviderJson> {
  return (await askProvider(...call)).body
}

/** Like `callProvider`, for a provider that uses headers too. */
export async function askProvider(
  outbound: Outbound,
  name: string,
  url: string,
  request: OutboundRequest,
  wordsIn: (answer: ProviderJson) => unknown,
): Promise<{ body: ProviderJson; headers: Record<string, string> }> {
  const answer = await outbound.provider(url, { timeoutMs: TIMEOUT_MS, ...request }).catch((error: unknown) => {
    if (error instanceof OutboundError) throw new PaymentProviderError('unavailable', error.message)
    throw error
  })
  if (answer.status === 204) return { body: {}, headers: answer.headers }
  const body = jsonIn(answer.text)
  if (answer.status < 300 && body) return { body, headers: answer.headers }
  const told = body && wordsIn(body)
  const words = typeof told === 'string' && told ? told.slice(0, 500) : `${name} answered ${answer.status}.`
  throw new PaymentProviderError(failureOf(answer.status), words, {
    retryAfterMs: retryAfterOf(answer.headers['retry-after']),
  })
}

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

/** Calls to a provider while an event is processed. */
export type ProviderCalls<Api> = {
  /** Returns the answer, or null without one; that an object does not exist is an answer too. */
  ask<T>(question: (api: Api) => Promise<T>): Promise<T | null>
  /** Returns the first failure of a call. */
  failure(): PaymentProviderError | null
}

/**
 * Continues without an answer and records why; `api` is null without credentials. A missing object proves nothing if
 * the account may not be the one that sent the event; `isTheSame` requests something that only that one has.
 */
export function createAsking<Api>(
  api: Api | null,
  { mayBeAnother = false }: Pick<ProviderAccess, 'mayBeAnother'>,
  isTheSame?: (api: Api) => Promise<unknown>,
): ProviderCalls<Api> {
  const told = (error: unknown) => {
    if (error instanceof PaymentProviderError) return error
    throw error
  }
  let failure: PaymentProviderError | null = null
  return {
    failure: () => failure,
    async ask(question) {
      if (!api) {
        failure ??= new PaymentProviderError('keyless', 'No provider is connected.')
        return null
      }
      try {
        return await question(api)
      } catch (error) {
        const { kind } = told(error)
        if (kind !== 'missing') failure ??= told(error)
        else if (isTheSame) {
          const other = await isTheSame(api).then(() => null, told)
          if (other) failure ??= other.kind === 'missing' ? new PaymentProviderError('keyless', OF_ANOTHER) : other
        } else if (mayBeAnother) failure ??= new PaymentProviderError('keyless', OF_ANOTHER)
        return null
      }
    },
  }
}

const OF_ANOTHER = 'This came from an account that’s no longer connected. Connect that account again.'

/** An event's facts; omitted ones are unknown. */
export type EventFacts = Partial<Omit<GatheredFacts, 'lacking'>>

/** Fills in the facts, with the reason for missing ones. */
export const gathered = (told: EventFacts | undefined, lacking: GatheredFacts['lacking']): GatheredFacts => ({
  sightings: told?.sightings ?? [],
  shared: told?.shared ?? [],
  newcomer: told?.newcomer ?? null,
  revoked: told?.revoked ?? null,
  lacking,
})
