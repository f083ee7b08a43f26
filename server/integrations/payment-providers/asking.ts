import { type Outbound, OutboundError, type OutboundRequest } from '../../platform/http/outbound.ts'
import { type Gathered, ProviderError, type ProviderFailure, type Reach } from './provider.ts'
import { type Json, jsonIn } from './reading.ts'

const TIMEOUT_MS = 10_000

/**
 * One call to a provider that answers in JSON, or with no content. Throws ProviderError, in the words that `wordsIn` finds in the answer.
 */
export async function callProvider(...call: Parameters<typeof askProvider>): Promise<Json> {
  return (await askProvider(...call)).body
}

/** As above, for a provider that uses headers too. */
export async function askProvider(
  outbound: Outbound,
  name: string,
  url: string,
  request: OutboundRequest,
  wordsIn: (answer: Json) => unknown,
): Promise<{ body: Json; headers: Record<string, string> }> {
  const answer = await outbound.provider(url, { timeoutMs: TIMEOUT_MS, ...request }).catch((error: unknown) => {
    if (error instanceof OutboundError) throw new ProviderError('unavailable', error.message)
    throw error
  })
  if (answer.status === 204) return { body: {}, headers: answer.headers }
  const body = jsonIn(answer.text)
  if (answer.status < 300 && body) return { body, headers: answer.headers }
  const told = body && wordsIn(body)
  const words = typeof told === 'string' && told ? told.slice(0, 500) : `${name} answered ${answer.status}.`
  throw new ProviderError(failureOf(answer.status), words, {
    retryAfterMs: retryAfterOf(answer.headers['retry-after']),
  })
}

/** In seconds, or as a moment. */
function retryAfterOf(value: string | undefined): number | null {
  if (!value) return null
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now()
  return ms >= 0 ? ms : null
}

const failures: Record<number, ProviderFailure> = { 401: 'refused', 403: 'forbidden', 404: 'missing' }

/** Below 300 the answer was no JSON. */
const failureOf = (status: number): ProviderFailure =>
  failures[status] ?? (status < 300 || status === 409 || status === 429 || status >= 500 ? 'unavailable' : 'invalid')

/** Questions to a provider while an event is read. */
export type Asking<Api> = {
  /** The answer, or null where there is none; that a thing does not exist is an answer too. */
  ask<T>(question: (api: Api) => Promise<T>): Promise<T | null>
  /** The first failure to ask or to get an answer. */
  failure(): ProviderError | null
}

/**
 * Goes on without an answer and notes why there is none; `api` null is that there is nothing to ask with. That an account
 * does not have a thing says nothing where it may be another than the one that told of it; `isTheSame` asks for what only
 * that one has.
 */
export function createAsking<Api>(
  api: Api | null,
  { mayBeAnother = false }: Pick<Reach, 'mayBeAnother'>,
  isTheSame?: (api: Api) => Promise<unknown>,
): Asking<Api> {
  const told = (error: unknown) => {
    if (error instanceof ProviderError) return error
    throw error
  }
  let failure: ProviderError | null = null
  return {
    failure: () => failure,
    async ask(question) {
      if (!api) {
        failure ??= new ProviderError('keyless', 'No provider is connected.')
        return null
      }
      try {
        return await question(api)
      } catch (error) {
        const { kind } = told(error)
        if (kind !== 'missing') failure ??= told(error)
        else if (isTheSame) {
          const other = await isTheSame(api).then(() => null, told)
          if (other) failure ??= other.kind === 'missing' ? new ProviderError('keyless', OF_ANOTHER) : other
        } else if (mayBeAnother) failure ??= new ProviderError('keyless', OF_ANOTHER)
        return null
      }
    },
  }
}

const OF_ANOTHER = 'The account that is connected now doesn’t know this. Connect the one that it came from again.'

/** An event's facts; it says nothing about the others. */
export type Told = Partial<Omit<Gathered, 'lacking'>>

/** The whole of it, and what could not be found out. */
export const gathered = (told: Told | undefined, lacking: Gathered['lacking']): Gathered => ({
  sightings: told?.sightings ?? [],
  shared: told?.shared ?? [],
  newcomer: told?.newcomer ?? null,
  revoked: told?.revoked ?? null,
  lacking,
})
