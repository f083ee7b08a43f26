import type { z } from 'zod'
import { refreshSession, signOut as signOutCall } from '#contract/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { currentLanguage } from '#contract/language.ts'
import { consumePrefetched, dropEarly, savePrefetch } from './prefetch.ts'
import { clearSession, openSignIn, portalSession, readSession, saveSession } from './session.ts'
import { requestPassword } from './step-up.ts'
import { authWords } from './words/auth.ts'
import { basicWords } from './words/basic.ts'

export type Nothing = Record<never, never>
type Part<K extends string, S extends z.ZodType> = [z.input<S>] extends [undefined]
  ? { [key in K]?: undefined }
  : Nothing extends z.input<S>
    ? { [key in K]?: z.input<S> }
    : { [key in K]: z.input<S> }

type Options = {
  /** The token of a set-up or reset link, used instead of the session's. */
  token?: string
  /** A Wise token, for the one call made with it and without a session. */
  wiseToken?: string
  /** Media type of the answer if not JSON. */
  accept?: string
  /** Reused for a retry of the same write, so that it takes effect once. */
  idempotencyKey?: string
  signal?: AbortSignal
}

export type EndpointInput<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Part<'params', P> &
  Part<'query', Q> &
  Part<'body', B> &
  Options

/** An `Input` without its types. */
export type Loose = { params?: unknown; query?: unknown; body?: unknown } & Options

/**
 * A call that was refused or did not arrive. `status` is 0 if no answer came; `message` is a sentence in the document's
 * language; `fields` has one message per wrong field by its path in the body, `retryAfter` is in seconds.
 */
export class CallError extends Error {
  readonly status: number
  readonly code: string
  readonly reason: string | null
  readonly values: Record<string, string | number>
  readonly fields: Record<string, string>
  readonly details: Record<string, unknown>
  readonly requestId: string | null
  readonly retryAfter: number | null

  constructor(message: string, about: Partial<Omit<CallError, 'message'>> & { status: number; code: string }) {
    super(message)
    this.status = about.status
    this.code = about.code
    this.reason = about.reason ?? null
    this.values = about.values ?? {}
    this.fields = about.fields ?? {}
    this.details = about.details ?? {}
    this.requestId = about.requestId ?? null
    this.retryAfter = about.retryAfter ?? null
  }
}

/** Returns whether the requested thing does not exist. */
export const isNotFound = (error: unknown): error is CallError => error instanceof CallError && error.status === 404

/** Returns the refusal with its fields at other places. */
export const withFields = (error: CallError, fields: Record<string, string>) =>
  new CallError(error.message, { ...error, fields })

/**
 * Returns whether a write may have taken effect: no answer, a broken one, or 'still running'. It is retried under its
 * key.
 */
export const mayHaveTakenEffect = (error: unknown) =>
  error instanceof CallError && (error.status === 0 || error.status >= 500 || error.code === 'conflict')

/**
 * Makes one call of the contract and returns its reply. Renews an expired access token once, silently. Throws
 * `CallError`; if the session is over it also navigates to the sign-in screen.
 */
export async function callApi<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  ...[input]: Nothing extends EndpointInput<P, Q, B>
    ? [input?: EndpointInput<P, Q, B>]
    : [input: EndpointInput<P, Q, B>]
): Promise<z.output<R>> {
  return (await (await fetchReply(endpoint, (input ?? {}) as Loose)).json().catch(() => undefined)) as z.output<R>
}

/** Ends the session here, on the server and in every other tab. Never fails: the tokens are deleted either way. */
export async function signOut() {
  const session = readSession()
  clearSession()
  if (session) await callApi(signOutCall, { body: { refreshToken: session.refreshToken } }).catch(() => undefined)
  await openSignIn()
}

/** Returns a call's reply, or throws its refusal. */
export async function fetchReply(endpoint: Target, input: Loose) {
  const write = endpoint.method !== 'GET'
  if (write) dropEarly()
  const options = write ? { ...input, idempotencyKey: input.idempotencyKey ?? randomKey() } : input
  const own = input.token !== undefined || input.wiseToken !== undefined
  let bearer = input.wiseToken ? undefined : (input.token ?? readSession()?.accessToken)
  let proved = false
  for (let tries = 1; ; tries++) {
    const response = await send(endpoint, options, bearer)
    if (response.ok) return response
    const refusal = await readRefusal(response)
    if (!own && !proved && refusal.code === 'recent_sign_in_required') {
      proved = await requestPassword(refusal.message)
      if (!proved) throw refusal
      bearer = readSession()?.accessToken
      continue
    }
    if (refusal.code === 'second_factor_missing') openProfile()
    const portal = portalSession()
    const isOver = isOfSession(refusal) || (portal && refusal.code === 'account_disabled')
    if (own || !isOver || tries === TRIES) throw refusal
    bearer = await (portal?.renew(bearer, refusal) ?? renew(bearer))
  }
}

/** Leads to the only screen that is open without the second factor that an account requires. */
function openProfile() {
  if (location.pathname !== '/user/profile') location.assign('/user/profile')
}

/** Attempts of a call: with an expired token, with another tab's that expires at this moment, and with a new one. */
const TRIES = 3

/** Returns whether a call was refused for lack of a valid session, not for a wrong password or a missing code. */
const isOfSession = ({ status, code }: CallError) =>
  status === 401 && code !== 'invalid_credentials' && code !== 'second_factor_required'

/**
 * Returns a new access token to replace the expired one. Runs in one tab at a time: the refresh token works once, so
 * the other tabs wait and use the first one's result, or find that the session is over.
 */
async function renew(worn: string | undefined): Promise<string> {
  const exchange = async () => {
    const session = readSession()
    if (session && session.accessToken !== worn) return session.accessToken
    if (session) {
      const response = await send(refreshSession, { body: { refreshToken: session.refreshToken } })
      if (response.ok) {
        const renewed = await response.json()
        saveSession(renewed)
        return renewed.accessToken as string
      }
      if (response.status !== 401) throw await readRefusal(response)
      clearSession()
    }
    return null
  }
  // Web Locks exist only on https and localhost.
  const renewed = await (navigator.locks ? navigator.locks.request('tributary.session', exchange) : alone(exchange))
  if (renewed) return renewed
  await openSignIn({ comeBack: true })
  throw new CallError(authWords.signIn, { status: 401, code: 'unauthenticated' })
}

let renewing: Promise<string | null> | null = null
function alone(exchange: () => Promise<string | null>) {
  renewing ??= exchange().finally(() => {
    renewing = null
  })
  return renewing
}

type Target = { method: string; path: string }

async function send(endpoint: Target, input: Loose, bearer?: string) {
  const headers = new Headers({ Accept: input.accept ?? 'application/json', 'Accept-Language': currentLanguage() })
  if (bearer) headers.set('Authorization', `Bearer ${bearer}`)
  if (input.wiseToken) headers.set('Authorization', `wise:${input.wiseToken}`)
  if (input.idempotencyKey) headers.set('Idempotency-Key', input.idempotencyKey)
  if (input.body !== undefined) headers.set('Content-Type', 'application/json')
  const address = buildAddress(endpoint.path, input.params, input.query)
  if (endpoint.method === 'GET' && bearer && !input.token && !input.accept) {
    savePrefetch(address)
    const early = await consumePrefetched(address, bearer)?.catch(() => undefined)
    // a refusal there may be in another language
    if (early?.ok) return early
  }
  try {
    return await fetch(address, {
      method: endpoint.method,
      headers,
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
      signal: input.signal,
      cache: 'no-store',
    })
  } catch (reason) {
    if (input.signal?.aborted) throw reason
    throw new CallError(basicWords.errors.network, { status: 0, code: 'unreachable' })
  }
}

/**
 * Returns `/partners/:id` with its parameters filled in, relative to the API's base, and the query without empty
 * values.
 */
export function buildAddress(path: string, params: unknown, query: unknown) {
  const values = (params ?? {}) as Record<string, string>
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  return `/api/v1${filled}${search.size ? `?${search}` : ''}`
}

export async function readRefusal(response: Response) {
  const content = await response.json().catch(() => null)
  const error = content?.error ?? {}
  return new CallError(error.message ?? basicWords.errors.unexpected, {
    status: response.status,
    code: error.code ?? 'unexpected',
    reason: error.reason,
    values: error.values,
    fields: error.fields,
    details: error.details,
    requestId: content?.requestId ?? null,
    retryAfter: Number(response.headers.get('retry-after')) || null,
  })
}

/** Returns 128 random bits in hexadecimal; `crypto.randomUUID` does not exist on plain http. */
export function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
