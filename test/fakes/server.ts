import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A provider's object with untyped fields: the stand-ins promise shapes, not types. */
export type Fields = Record<string, unknown>

/** One request as a stand-in received it; `answered` is the status sent, absent until then. */
export type Call = {
  method: string
  path: string
  query: Fields
  headers: IncomingHttpHeaders
  /** JSON or form fields; `{}` if there are none or the body is unreadable (`unreadable`). */
  body: Fields
  raw: string
  unreadable: boolean
  /** Milliseconds since 1970, of the real clock. */
  at: number
  answered?: number
}

/** A handler's reply: without `body` it is empty, text is sent unchanged. */
export type Answer = { status: number; body?: unknown; headers?: Record<string, string> }

/** `POST /v1/transfers` in which `*` matches anything, an expression over the same text, or any test of the call. */
export type Matcher = string | RegExp | ((call: Call) => boolean)

/**
 * The way a call fails. `-before`: nothing was done. `-after`: the work is done and its answer lost. `garbage`: done,
 * and the 2xx cannot be read. `status` is sent instead of working, or with `after` once it is done.
 */
export type Failure =
  | 'hang-before'
  | 'hang-after'
  | 'reset-before'
  | 'reset-after'
  | 'garbage'
  | { status: number; body?: unknown; headers?: Record<string, string>; retryAfter?: number; after?: boolean }
  | { slowMs: number }

export type StandIn = {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  url: string
  port: number
  /** Every request so far, oldest first. */
  calls: Call[]
  callsTo: (matcher: Matcher) => Call[]
  /** Makes the next `times` matching calls fail; failures set earlier are used up first. */
  fail: (matcher: Matcher, failure: Failure, times?: number) => void
  /** Clears all remaining scripted failures. */
  calm: () => void
  /** Waits for `count` matching calls and returns them; rejects after `timeoutMs`. */
  waitForCalls: (matcher: Matcher, count?: number, timeoutMs?: number) => Promise<Call[]>
  /** Ends every socket, including those of hanging calls. */
  close: () => Promise<void>
}

/** Starts a small HTTP server on a free loopback port; `handle` gets one call at a time unless it awaits something. */
export async function startServer(handle: (call: Call) => Answer | Promise<Answer>): Promise<StandIn> {
  const calls: Call[] = []
  const script: { matcher: Matcher; failure: Failure; left: number }[] = []

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return // the caller went away while sending
    }
    const call = readCall(request.method ?? 'GET', request.url ?? '/', request.headers, Buffer.concat(chunks))
    calls.push(call)
    const failure = nextFailure(call)
    const answer = await perform(call, failure, response)
    if (!answer || response.destroyed) return
    call.answered = answer.status
    send(response, answer)
  })

  function nextFailure(call: Call) {
    const step = script.find((candidate) => candidate.left > 0 && matchesCall(candidate.matcher, call))
    if (step) step.left -= 1
    return step?.failure
  }

  async function perform(call: Call, failure: Failure | undefined, response: ServerResponse): Promise<Answer | null> {
    const scripted = typeof failure === 'object' && 'status' in failure ? failure : null
    if (failure === 'hang-before') return null
    if (failure === 'reset-before') return cut(response)
    if (scripted && !scripted.after) return scriptedAnswer(scripted)
    if (typeof failure === 'object' && 'slowMs' in failure) await delay(failure.slowMs, undefined, { ref: false })
    const answer = await Promise.resolve(call)
      .then(handle)
      .catch((error: Error) => ({ status: 500, body: { error: 'stand_in_broken', message: String(error.stack) } }))
    if (failure === 'hang-after') return null
    if (failure === 'reset-after') return cut(response)
    if (failure === 'garbage')
      return { ...answer, status: answer.status < 300 ? answer.status : 200, body: '{"id": 17, "sta' }
    return scripted ? scriptedAnswer(scripted) : answer
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const callsTo = (matcher: Matcher) => calls.filter((call) => matchesCall(matcher, call))
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    calls,
    callsTo,
    fail: (matcher, failure, times = 1) => void script.push({ matcher, failure, left: times }),
    calm: () => void script.splice(0),
    waitForCalls: (matcher, count = 1, timeoutMs = 5_000) =>
      waitUntil(
        () => (callsTo(matcher).length >= count ? callsTo(matcher) : null),
        timeoutMs,
        `${count} calls to ${matcher}`,
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Returns the first result of `find` that is neither null nor undefined; rejects after `timeoutMs`, naming `what`. */
export async function waitUntil<T>(find: () => T | null | undefined, timeoutMs: number, what: string): Promise<T> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const found = find()
    if (found !== null && found !== undefined) return found
    if (Date.now() > end) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`)
    await delay(10)
  }
}

/** Form or query fields with their brackets resolved: `a[b]=1&c[]=2` is `{a: {b: '1'}, c: ['2']}`. */
export function parseBrackets(params: URLSearchParams): Fields {
  const fields: Fields = {}
  for (const [key, value] of params) {
    const steps = key.split(/\[|\]\[|\]$/).slice(0, key.endsWith(']') ? -1 : undefined)
    let place = fields
    steps.forEach((step, index) => {
      const name = step === '' && Array.isArray(place) ? String(place.length) : step
      const next = steps[index + 1]
      if (next === undefined) place[name] = value
      else {
        place[name] ??= next === '' || /^\d+$/.test(next) ? [] : {}
        place = place[name] as Fields
      }
    })
  }
  return fields
}

function readCall(method: string, target: string, headers: IncomingHttpHeaders, bytes: Buffer): Call {
  const url = new URL(target, 'http://stand-in')
  const raw = bytes.toString('utf8')
  const call: Call = {
    method,
    path: url.pathname,
    query: parseBrackets(url.searchParams),
    headers,
    body: {},
    raw,
    unreadable: false,
    at: Date.now(),
  }
  if (raw === '') return call
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    return { ...call, body: parseBrackets(new URLSearchParams(raw)) }
  }
  try {
    return { ...call, body: JSON.parse(raw) }
  } catch {
    return { ...call, unreadable: true }
  }
}

export function matchesCall(matcher: Matcher, call: Call) {
  if (typeof matcher === 'function') return matcher(call)
  const line = `${call.method} ${call.path}`
  if (matcher instanceof RegExp) return matcher.test(line)
  const pieces = matcher.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pieces.join('.*')}$`).test(line)
}

function cut(response: ServerResponse) {
  response.socket?.destroy()
  return null
}

function scriptedAnswer(failure: Extract<Failure, { status: number }>): Answer {
  const headers = { ...failure.headers }
  if (failure.retryAfter !== undefined) headers['retry-after'] = String(failure.retryAfter)
  const body = failure.body ?? {
    status: failure.status,
    error: 'scripted',
    message: `Scripted answer ${failure.status}`,
  }
  return { status: failure.status, headers, body }
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer) {
  if (body === undefined) return void response.writeHead(status, headers).end()
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text)
}
