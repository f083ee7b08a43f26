import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { buildCurl } from './curl.ts'

const run = promisify(execFile)

let headers: IncomingHttpHeaders = {}
let body = ''

test('the sample request arrives as JSON, authenticated as the webhook requires', async (t) => {
  const server = createServer(async (request, response) => {
    headers = request.headers
    body = Buffer.concat(await request.toArray()).toString()
    response.end()
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/in/token`
  const send = (hook: Omit<Parameters<typeof buildCurl>[0], 'url'>) => run('sh', ['-c', buildCurl({ url, ...hook })])

  for (const target of ['lead', 'sale', 'refund', 'lead-status'] as const) {
    await send({ target, auth: { type: 'url-secret' } })
    assert.equal(headers['content-type'], 'application/json')
    assert.ok(Object.keys(JSON.parse(body)).length > 1)
  }
  await send({ target: 'lead', auth: { type: 'basic', username: "O'Neill" } })
  assert.equal(headers.authorization, `Basic ${Buffer.from("O'Neill:PASSWORD").toString('base64')}`)
  const shared = { type: 'shared-secret', in: 'header', name: 'X-Key', prefix: null } as const
  await send({ target: 'lead', auth: shared })
  assert.equal(headers['x-key'], 'SECRET')
  await send({ target: 'lead', auth: { ...shared, name: 'Authorization', prefix: 'Bearer' } })
  assert.equal(headers.authorization, 'Bearer SECRET')
  await send({ target: 'lead', auth: { ...shared, in: 'field', name: "the owner's" } })
  assert.deepEqual([JSON.parse(body)["the owner's"], headers['x-key']], ['SECRET', undefined])
  for (const encoding of ['hex', 'base64'] as const) {
    const how = { header: 'X-Signature', algorithm: 'sha256', encoding, prefix: 'v1=', key: 'text' } as const
    for (const [signed, layout, timestampHeader, idHeader] of [
      ['{body}', 'single', null, null],
      ['{timestamp}.{body}', 'named', null, null],
      ['{timestamp}.{body}', 'listed', null, null],
      ['{timestamp}:{body}', 'single', 'X-Time', null],
      ['POST{url}{body}{timestamp}', 'single', 'X-Time', null],
      ['{id}.{timestamp}.{body}', 'spaced', 'X-Time', 'X-ID'],
      ["it's $HOME {body}{id}", 'single', null, 'X-ID'],
    ] as const) {
      const auth = { type: 'header-hmac', ...how, signed, layout, timestampHeader, idHeader } as const
      await send({ target: 'lead', auth })
      const time = String(headers['x-time'] ?? /^(?:t=)?(\d+),/.exec(String(headers['x-signature']))?.[1])
      const values = { body, url, timestamp: time, id: String(headers['x-id']) }
      const text = signed.replace(/\{(\w+)\}/g, (_, name: keyof typeof values) => values[name])
      const signature = `v1=${createHmac('sha256', 'SECRET').update(text).digest(encoding)}`
      const prefix = { named: `t=${time},`, listed: `${time},`, single: '', spaced: '' }[layout]
      assert.equal(headers['x-signature'], prefix + signature)
      if (signed.includes('{timestamp}')) assert.ok(Math.abs(Date.now() / 1000 - Number(time)) < 60)
    }
  }
})
