import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startApp } from '../../test/support/app.ts'
import { checkKey } from '../platform/database/key-check.ts'
import { systemClock } from '../platform/database/pool.ts'
import { createSecrets } from '../platform/database/secrets.ts'
import { proxy } from './address.ts'
import { runChecks } from './check.ts'
import { meetPatient } from './patient.ts'

async function runCheck(variables: Record<string, string>) {
  const patient = meetPatient(variables, { clock: systemClock })
  try {
    const [found] = await runChecks([proxy], patient)
    return `${found!.state}: ${found!.finding}`
  } finally {
    await patient.leave()
  }
}

test('trusting all addresses is reported, however the networks are split; other settings are not', async () => {
  const everybody = ['0.0.0.0/1,128.0.0.0/1', '0.0.0.0/2,64.0.0.0/2', '2000::/4', '::ffff:0:0/96']
  for (const networks of everybody)
    assert.match(
      await runCheck({ TRUST_PROXY: networks, PORT: '0' }),
      /^fault: .* any caller can pose as another/,
      networks,
    )
  const proxies = [
    '127.0.0.1',
    '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16',
    '173.245.48.0/20,104.16.0.0/13,2400:cb00::/32',
  ]
  for (const networks of proxies) assert.match(await runCheck({ TRUST_PROXY: networks, PORT: '0' }), /^ok: /, networks)
})

const key = Buffer.alloc(32, 7)

/** Runs the product behind a proxy that sends these headers. */
async function behind(rewritten: (headers: IncomingHttpHeaders) => IncomingHttpHeaders) {
  const app = await startApp({ config: { secretKey: key, trustProxy: ['127.0.0.1'] } })
  await checkKey(app.services.db, createSecrets(key))
  const server = createServer((given, reply) => {
    const { method, url } = given
    const passed = request(`${app.url}${url}`, { method, headers: rewritten(given.headers) }, (answer) => {
      reply.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(reply)
    })
    given.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return {
    DATABASE_URL: app.services.db.url,
    SECRET_KEY: key.toString('base64'),
    TRUST_PROXY: '127.0.0.1',
    PORT: new URL(app.url).port,
    APP_URL: `http://localhost:${(server.address() as AddressInfo).port}`,
  }
}

test('a proxy that does not forward the caller’s address is reported, as is one that lets callers set it', async () => {
  const asNginx = await behind((headers) => ({ ...headers, 'x-forwarded-for': '127.0.0.1' }))
  assert.match(await runCheck(asNginx), /^ok: Trusted: 127\.0\.0\.1\./)
  const appending = await behind(({ 'x-forwarded-for': before, ...headers }) => ({
    ...headers,
    'x-forwarded-for': [before, '127.0.0.1'].filter(Boolean).join(', '),
  }))
  assert.match(await runCheck(appending), /^ok: /)
  const silent = await behind((headers) => headers)
  assert.match(await runCheck(silent), /^warning: .* sends no X-Forwarded-For: all visitors count as the proxy/)
  const onlyWhereMissing = await behind((headers) => ({ 'x-forwarded-for': '127.0.0.1', ...headers }))
  assert.match(await runCheck(onlyWhereMissing), /^warning: .* as callers send it: any caller can pose as another/)
})
