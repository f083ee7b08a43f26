import assert from 'node:assert/strict'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openServerSocket } from './server-socket.ts'

const here = { host: '127.0.0.1', port: 0, appUrl: 'https://partners.example.com', trustProxy: [] }

/** Sends only these bytes; returns the answer until the connection ended, and its time. */
async function sendRaw(port: number, bytes: string) {
  const startedAt = Date.now()
  const socket = connect(port, here.host)
  socket.write(bytes)
  let text = ''
  for await (const piece of socket) text += piece
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [line = '', ...headers] = head.toLowerCase().split('\r\n')
  return {
    line,
    headers: new Map(headers.map((header) => header.split(': ', 2) as [string, string])),
    body,
    ms: Date.now() - startedAt,
  }
}

function assertSecured(headers: Map<string, string>, what: string) {
  assert.equal(headers.get('cache-control'), 'no-store', what)
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what)
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, what)
  assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', what)
}

function requestPath(port: number, path: string, agent?: Agent) {
  return new Promise<{ status: number; text: string; headers: IncomingMessage['headers'] }>((resolve, reject) => {
    const request = get({ host: here.host, port, path, agent }, (answer) => {
      let text = ''
      answer.on('data', (piece) => {
        text += piece
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }))
    })
    request.on('error', (error) => reject(Object.assign(error, { reused: request.reusedSocket })))
  })
}

test('before opening it is alive but not ready, and says so in the usual error format', async () => {
  const door = await openServerSocket(here)
  assert.equal((await requestPath(door.port, '/health/live')).status, 200)
  for (const path of ['/health/ready', '/api/v1/users/me']) {
    const answer = await requestPath(door.port, path)
    assert.equal(answer.status, 503)
    assert.equal(answer.headers['retry-after'], '1')
    assertSecured(new Map(Object.entries(answer.headers) as [string, string][]), path)
    const body = JSON.parse(answer.text)
    assert.equal(body.error.code, 'unavailable')
    assert.ok(body.requestId)
  }
  await door.close()
})

test('closing lets running requests finish, fails readiness at once and then accepts no connection', async () => {
  const door = await openServerSocket(here)
  const [came, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  door.open(async (_request, response) => {
    came.resolve()
    await goOn.promise
    response.end('done')
  })
  const running = requestPath(door.port, '/slow')
  await came.promise
  const closed = door.close()
  const ready = await requestPath(door.port, '/health/ready')
  assert.equal(ready.status, 503)
  assert.equal(ready.headers.connection, 'close')
  goOn.resolve()
  assert.deepEqual([(await running).status, (await running).text], [200, 'done'])
  await closed
  await assert.rejects(requestPath(door.port, '/health/live'), { code: 'ECONNREFUSED' })
})

test('closing behind a proxy accepts new connections for five seconds, even a few, and otherwise none', async () => {
  for (const [trustProxy, least, most] of [
    [['10.0.0.0/8'], 4_900, 9_000],
    [[], 0, 2_000],
  ] as const) {
    const door = await openServerSocket({ ...here, trustProxy })
    door.open((_request, response) => response.end('ok'))
    const startedAt = Date.now()
    let isClosed = false
    const closed = door.close().then(() => (isClosed = true))
    while (trustProxy.length > 0 && Date.now() - startedAt < 4_000) {
      assert.equal((await requestPath(door.port, '/health/ready')).status, 503)
      assert.equal((await requestPath(door.port, '/')).text, 'ok')
      await sleep(500)
      assert.ok(!isClosed)
    }
    await closed
    const took = Date.now() - startedAt
    assert.ok(took >= least && took < most, `${took} ms`)
    await assert.rejects(requestPath(door.port, '/health/ready'), { code: 'ECONNREFUSED' })
  }
})

test('clients with persistent connections that send continuously lose no request', async () => {
  const door = await openServerSocket(here)
  door.open((_request, response) => void setTimeout(() => response.end('ok'), 5))
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const outcomes: string[] = []
  const client = async () => {
    for (;;) {
      const outcome = await requestPath(door.port, '/', agent).then(
        ({ status }) => String(status),
        (error) => (error.reused ? 'cut' : 'refused'),
      )
      outcomes.push(outcome)
      if (outcome !== '200') return
    }
  }
  const clients = [client(), client(), client(), client()]
  while (outcomes.length <= 8) await sleep(10)
  const closing = door.close()
  await Promise.all([closing, ...clients])
  agent.destroy()
  assert.ok(outcomes.filter((outcome) => outcome === '200').length > 8)
  assert.deepEqual([...new Set(outcomes)].sort(), ['200', 'refused'])
})

test('an idle connection does not delay closing', async () => {
  const door = await openServerSocket(here)
  door.open((_request, response) => response.end('ok'))
  const agent = new Agent({ keepAlive: true })
  await requestPath(door.port, '/', agent)
  const startedAt = Date.now()
  await door.close()
  assert.ok(Date.now() - startedAt < 10_000)
  agent.destroy()
})

test('an invalid HTTP request is refused in the usual error format', async () => {
  const door = await openServerSocket(here)
  door.open((_request, response) => response.end('ok'))
  const tried: [string, string][] = [
    ['nonsense\r\n\r\n', '400'],
    [`GET / HTTP/1.1\r\nhost: x\r\nlong: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
    ['GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n', '400'],
  ]
  for (const [bytes, status] of tried) {
    const { line, headers, body } = await sendRaw(door.port, bytes)
    assert.match(line, new RegExp(`^http/1.1 ${status} `), bytes.slice(0, 40))
    assertSecured(headers, bytes.slice(0, 40))
    assert.equal(JSON.parse(body).error.code, 'malformed_request')
    assert.equal(Number(headers.get('content-length')), Buffer.byteLength(body))
  }
  await door.close()
})

test('a client that has not sent its headers after 10 seconds is disconnected', async () => {
  const door = await openServerSocket(here)
  door.open((_request, response) => response.end('ok'))
  const [silent, slow] = await Promise.all([
    sendRaw(door.port, ''),
    sendRaw(door.port, 'GET / HTTP/1.1\r\nhost: x\r\n'),
  ])
  for (const { line, ms, headers } of [silent, slow]) {
    assert.match(line, /^http\/1.1 408 /)
    assertSecured(headers, line)
    assert.ok(ms >= 9_500 && ms < 30_000, `${ms} ms`)
  }
  await door.close()
})

test('an address that cannot be bound is refused by the name of its variable', async () => {
  await assert.rejects(openServerSocket({ ...here, host: '203.0.113.7' }), /^StartRefusal: HOST holds "203\.0\.113\.7"/)
})
