import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  MalformedRequestError,
  NotFoundError,
  PayloadTooLargeError,
  ProviderFailedError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  Tributary,
  TributaryError,
  UnauthenticatedError,
  UnavailableError,
  UnexpectedAnswerError,
  ValidationError,
} from './index.ts'
import { type ClientOptions, createSend } from './send.ts'

type Heard = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type Answer = (response: ServerResponse, received: Heard) => unknown

/** A server with scripted answers, the last of which repeats, and a client that never waits. */
async function withServer(script: Answer[], options: Partial<ClientOptions> = {}) {
  const received: Heard[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    received.push({ method: request.method!, url: request.url!, headers: request.headers, body })
    await script[Math.min(received.length, script.length) - 1]!(response, received.at(-1)!)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const waits: number[] = []
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const wait = async (ms: number) => void waits.push(ms)
  return { client: new Tributary({ baseUrl, token: 'session', wait, ...options }), heard: received, waits, baseUrl }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body))
const refused = (status: number, code: string, headers = {}, more = {}) =>
  json(status, { error: { code, reason: code, message: 'A sentence.', ...more }, requestId: 'r-1' }, headers)
const lead = json(201, { id: 'lead-1' })
const dies: Answer = (response) => response.destroy()
const newLead = { email: 'hannah@brightline.example' }

test('each write has its own idempotency key, the same in every attempt; a read has none', async () => {
  const {
    client,
    heard: received,
    waits,
  } = await withServer([dies, refused(503, 'unavailable'), lead, dies, lead, lead])
  assert.deepEqual(await client.leads.create('a', newLead), { id: 'lead-1' })
  await client.leads.create('a', newLead)
  const keys = received.map(({ headers }) => headers['idempotency-key'])
  assert.match(String(keys[0]), /^[\w-]{32,}$/)
  assert.deepEqual(keys, [...Array(3).fill(keys[0]), ...Array(2).fill(keys[3])])
  assert.notEqual(keys[0], keys[3])
  assert.deepEqual(new Set(received.map(({ body }) => body)), new Set([JSON.stringify(newLead)]))
  assert.equal(waits.length, 3)
  assert.ok(waits[0]! >= 250 && waits[0]! <= 500 && waits[1]! >= 500 && waits[1]! <= 1000, String(waits))

  await client.leads.create('a', newLead, { idempotencyKey: 'order-7' })
  await client.leads.get('x')
  assert.deepEqual(
    received.slice(5).map(({ headers }) => headers['idempotency-key']),
    ['order-7', undefined],
  )
})

test('it waits as long as the server asks, but does not retry after more than a minute', async () => {
  const {
    client,
    waits,
    heard: received,
  } = await withServer([
    refused(429, 'rate_limited', { 'retry-after': '2' }),
    refused(409, 'conflict', { 'retry-after': '1' }),
    refused(503, 'unavailable', { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }),
    lead,
    refused(429, 'rate_limited', { 'retry-after': '3600' }),
  ])
  await client.leads.create('a', newLead)
  assert.deepEqual(waits.slice(0, 2), [2000, 1000])
  assert.ok(waits[2]! > 20_000 && waits[2]! <= 30_000, String(waits[2]))
  const error = await client.leads.create('a', newLead).catch((error: unknown) => error)
  assert.ok(error instanceof RateLimitedError)
  assert.equal(error.retryAfter, 3600)
  assert.deepEqual([waits.length, received.length], [3, 5])
})

test('retries end after a number that the caller chooses', async () => {
  const { client, heard: received } = await withServer([dies])
  await assert.rejects(client.leads.get('x'), ConnectionError)
  assert.equal(received.length, 4)
  await assert.rejects(client.leads.get('x', { retries: 0 }), { status: 0, code: 'connection_failed' })
  assert.equal(received.length, 5)
})

test('each refusal has a class with all its details, and is not retried', async () => {
  const classes: [number, string, typeof TributaryError][] = [
    [400, 'malformed_request', MalformedRequestError],
    [401, 'token_expired', UnauthenticatedError],
    [403, 'account_disabled', ForbiddenError],
    [404, 'not_found', NotFoundError],
    [409, 'duplicate', ConflictError],
    [409, 'conflict', ConflictError],
    [413, 'payload_too_large', PayloadTooLargeError],
    [415, 'unsupported_media_type', TributaryError],
    [422, 'validation_failed', ValidationError],
    [500, 'internal_error', ServerError],
    [502, 'provider_failed', ProviderFailedError],
  ]
  for (const [status, code, Class] of classes) {
    const more = { fields: { email: 'Email is required' }, details: { sales: 2 }, values: { max: 5 } }
    const { client, heard: received } = await withServer([refused(status, code, {}, more)])
    const error = await client.leads.create('a', newLead).catch((error: unknown) => error)
    assert.ok(error instanceof Class && error instanceof TributaryError, code)
    assert.deepEqual(
      { ...error, name: error.name, message: error.message },
      {
        name: Class.name,
        message: 'A sentence.',
        status,
        code,
        reason: code,
        ...more,
        requestId: 'r-1',
        retryAfter: null,
      },
    )
    assert.equal(received.length, 1, code)
  }
  const { client } = await withServer([refused(503, 'unavailable')])
  await assert.rejects(client.leads.get('x'), UnavailableError)
})

test('a signal ends a call before, during and between its attempts', async () => {
  const reason = new Error('the user left')
  const before = await withServer([lead])
  await assert.rejects(before.client.leads.get('x', { signal: AbortSignal.abort(reason) }), reason)
  assert.equal(before.heard.length, 0)

  const ending = new AbortController()
  const during = await withServer([() => ending.abort(reason)])
  await assert.rejects(during.client.leads.get('x', { signal: ending.signal, retries: 0 }), reason)
  assert.equal(during.heard.length, 1)

  const between = new AbortController()
  const waiting = await withServer([refused(503, 'unavailable')], {
    wait: undefined,
    fetch: async (...request) => {
      setImmediate(() => between.abort(reason))
      return fetch(...request)
    },
  })
  await assert.rejects(waiting.client.leads.get('x', { signal: between.signal }), reason)
})

test('a missing or incomplete response times out', async () => {
  const silent = await withServer([() => {}])
  await assert.rejects(silent.client.leads.get('x', { timeoutMs: 300, retries: 1 }), (error) => {
    assert.ok(error instanceof TimeoutError)
    assert.deepEqual([error.status, error.code], [0, 'timed_out'])
    return true
  })
  assert.equal(silent.heard.length, 2)
  const half = await withServer([
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":'),
  ])
  await assert.rejects(half.client.leads.get('x', { timeoutMs: 300, retries: 0 }), TimeoutError)
  const cut: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"id":', () => response.destroy())
  }
  const broken = await withServer([cut, json(200, { id: 'whole' })])
  assert.deepEqual(await broken.client.leads.get('x'), { id: 'whole' })
})

test('a response from something other than the product is reported as such, and not used', async () => {
  const strange: [string, Answer, tries: number][] = [
    [
      'a page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in to Wi-Fi</h1>'),
      1,
    ],
    ['a text', (response) => response.end('ok'), 1],
    ['a page of a proxy', (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad'), 4],
    [
      'half of an object',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":'),
      1,
    ],
    ['another API', json(400, { message: 'no' }), 1],
    ['an error that is a text', json(404, { error: 'not found' }), 1],
    ['a code that is a number', json(404, { error: { code: 1, message: [] } }), 1],
    ['a message that is a number', json(404, { error: { code: 'not_found', message: 7 } }), 1],
    ['null', json(500, null), 1],
    ['10 MB of an error', json(422, { error: { code: 'x', message: 'x'.repeat(10_000_000) } }), 1],
  ]
  for (const [what, answer, tries] of strange) {
    const { client, heard: received } = await withServer([answer])
    const error = await client.leads.get('x').catch((error: unknown) => error)
    assert.ok(error instanceof UnexpectedAnswerError, `${what}: ${error}`)
    assert.equal(error.code, 'unexpected_answer')
    assert.ok(error.message.length < 200, what)
    assert.equal(received.length, tries, what)
  }
})

test('an endless response is read only up to the limit', async () => {
  let bytes = 0
  const { client } = await withServer([
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const piece = ' '.repeat(1_000_000)
      const more = () => {
        while (!response.destroyed && bytes < 200_000_000) {
          bytes += piece.length
          if (!response.write(piece)) return response.once('drain', more)
        }
        return response.end()
      }
      more()
    },
  ])
  await assert.rejects(client.leads.get('x'), UnexpectedAnswerError)
  assert.ok(bytes < 100_000_000, `${bytes} bytes were sent`)
})

test('redirects are not followed: neither token nor body reaches another server', async () => {
  const other = await withServer([lead])
  for (const status of [301, 302, 307, 308]) {
    const { client } = await withServer([
      (response) => response.writeHead(status, { location: `${other.baseUrl}/api/v1/leads/x` }).end(),
    ])
    await assert.rejects(client.leads.create('a', newLead), UnexpectedAnswerError)
  }
  assert.equal(other.heard.length, 0)
})

test('an ID stays one segment of the path; one that would change the address is not sent', async () => {
  const { client, heard: received } = await withServer([lead])
  await client.leads.get('a/b?c#d e')
  assert.equal(received[0]!.url, '/api/v1/leads/a%2Fb%3Fc%23d%20e')
  for (const id of ['', '.', '..', undefined, null, 7]) await assert.rejects(client.leads.get(id as string), TypeError)
  assert.equal(received.length, 1)
})

test('several values of a filter are separated by commas, absent ones are omitted', async () => {
  const { client, heard: received } = await withServer([json(200, { items: [], nextCursor: null, total: 0 })])
  await client.leads.list('a', { status: ['new', 'won'], unanswered: true, search: 'Ünal & Söhne', from: undefined })
  const query = new URL(received[0]!.url, 'http://server').searchParams
  assert.deepEqual(Object.fromEntries(query), { status: 'new,won', unanswered: 'true', search: 'Ünal & Söhne' })
})

test('a base address is accepted with or without a trailing path', async () => {
  const { heard: received, baseUrl } = await withServer([lead])
  for (const ending of ['', '/', '/api/v1', '/api/v1/', '/below/'])
    await new Tributary({ baseUrl: baseUrl + ending }).leads.get('x')
  assert.deepEqual(
    received.map(({ url }) => url),
    [...Array(4).fill('/api/v1/leads/x'), '/below/api/v1/leads/x'],
  )
})

test('each call is sent with its credentials: a session, an API key, a Wise token, or none', async () => {
  const { client, heard: received } = await withServer([lead], { token: 'session', apiKey: 'key' })
  await client.leads.get('x')
  await client.push.leads(newLead)
  await client.auth.signOut({ refreshToken: 'r' })
  await client.accounts.listWiseProfiles({ token: 'wise-1' })
  await client.auth.getUserSetup({ token: 'link' })
  const keyed = await withServer([lead], { token: undefined, apiKey: 'key' })
  await keyed.client.leads.get('x')
  assert.deepEqual(
    [...received, ...keyed.heard].map(({ headers }) => headers.authorization),
    ['Bearer session', 'Bearer key', undefined, 'wise:wise-1', 'Bearer link', 'Bearer key'],
  )
  await assert.rejects(client.accounts.listWiseProfiles(), TypeError)
})

test('an expired token is renewed once, by the token source', async () => {
  const requests: (string | undefined)[] = []
  const token = async (refusedOne?: string) => {
    requests.push(refusedOne)
    return refusedOne ? 'new' : 'old'
  }
  const expired = refused(401, 'token_expired')
  const { client, heard: received } = await withServer([expired, lead, expired], { token })
  await client.leads.create('a', newLead)
  assert.deepEqual(requests, [undefined, 'old'])
  assert.deepEqual(
    received.map(({ headers }) => headers.authorization),
    ['Bearer old', 'Bearer new'],
  )
  assert.equal(received[0]!.headers['idempotency-key'], received[1]!.headers['idempotency-key'])
  await assert.rejects(client.leads.get('x'), UnauthenticatedError)
  assert.equal(received.length, 4)
  let given = 0
  const generous = await withServer([expired], { token: () => `token-${++given}` })
  await assert.rejects(generous.client.leads.get('x'), UnauthenticatedError)
  assert.equal(generous.heard.length, 2)
  const stubborn = await withServer([expired], { token: () => 'same' })
  await assert.rejects(stubborn.client.leads.get('x'), UnauthenticatedError)
  assert.equal(stubborn.heard.length, 1)
  const failing = await withServer([lead], { token: () => Promise.reject(new Error('signed out')) })
  await assert.rejects(failing.client.leads.get('x'), /signed out/)
})

test('a token or key that would add a header is the caller’s mistake, and is never sent', async () => {
  const { client, heard: received } = await withServer([lead])
  await assert.rejects(client.leads.get('x', { token: 'a\r\nx-admin: 1' }), TypeError)
  await assert.rejects(client.leads.create('a', newLead, { idempotencyKey: 'a\nb' }), TypeError)
  assert.equal(received.length, 0)
})

test('a response without a body returns undefined', async () => {
  const { client } = await withServer([
    (response) => response.writeHead(204).end(),
    (response) => response.writeHead(202, { 'content-length': '0' }).end(),
  ])
  assert.equal(await client.leads.delete('x'), undefined)
  assert.equal(await client.auth.resetPassword({ email: 'a@b.example' }), undefined)
})

test('a file is a text or a blob, and must have the declared type', async () => {
  const { baseUrl, heard: received } = await withServer([
    (response) => response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end('\ufeff"id"\r\n'),
    (response) => response.writeHead(200, { 'content-type': 'application/zip' }).end(Buffer.from([80, 75, 3, 4])),
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
    refused(404, 'not_found'),
  ])
  const send = createSend({ baseUrl })
  const file = (answers: string) => ({ method: 'GET', path: '/file', answers })
  assert.equal(await send<string>(file('text/csv')), '"id"\r\n')
  const zip = await send<Blob>(file('application/zip'))
  assert.deepEqual([...new Uint8Array(await zip.arrayBuffer())], [80, 75, 3, 4])
  await assert.rejects(send(file('text/csv')), UnexpectedAnswerError)
  await assert.rejects(send(file('application/zip')), NotFoundError)
  assert.equal(received[1]!.headers.accept, 'application/zip, application/json')
})
