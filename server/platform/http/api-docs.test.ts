import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { addresses } from '#contract/addresses.ts'
import { endpoints } from '#contract/index.ts'
import type { App } from '../../program/access/route.ts'
import { docsRoutes } from './api-docs.ts'
import { secureAnswers } from './security-headers.ts'

const fastify = Fastify()
after(() => fastify.close())
const app = { fastify, services: { config: { appUrl: 'https://p.example', appEnv: 'local' } } } as unknown as App
secureAnswers(fastify, { appUrl: 'https://p.example' })
docsRoutes(app)

test('the document is served as JSON, with every call of the contract', async () => {
  const { statusCode, headers, json } = await fastify.inject('/api/v1/openapi.json')
  assert.equal(`${statusCode} ${headers['content-type']}`, '200 application/json; charset=utf-8')
  const { paths, servers, info } = json()
  assert.equal(servers[0].url, 'https://p.example/api/v1')
  assert.match(info.version, /^\d+\.\d+\.\d+(-dev)?$/)
  const calls = Object.values<object>(paths).flatMap((methods) =>
    Object.keys(methods).filter((one) => one !== 'servers'),
  )
  assert.equal(calls.length, endpoints.length + addresses.length)
})

const policyOf = (headers: Record<string, unknown>) =>
  Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ', 1)[0], directive.replace(/^\S+ /, '')]),
  )

test('the reference begins with a static page: a first call with its reply, and every call by group', async () => {
  const { headers, body } = await fastify.inject('/api/docs')
  const policy = policyOf(headers)
  assert.equal(policy['script-src'], "'none'")
  assert.equal(policy['style-src'], `'nonce-${/<style nonce="([\w-]{22})">/.exec(body)?.[1]}'`)
  assert.ok(!/<script|style="/.test(body))
  assert.match(body, /<h2 id="first">Your first call<\/h2>/)
  assert.match(body, /curl -X POST &quot;https:\/\/p\.example\/api\/v1\/push\/leads&quot;/)
  assert.match(body, /&quot;referralCode&quot;:&quot;/)
  assert.match(body, /href="\/api\/docs\/explorer">Open API explorer</)
  const listed = [...body.matchAll(/<b>([A-Z]+)<\/b> (\S+?)<\/code>/g)].map(([, method, path]) => `${method} ${path}`)
  assert.deepEqual(
    listed,
    endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
  )
  assert.ok(body.length < 100_000, `${body.length} characters`)
})

test('the explorer runs scripts by a fresh nonce only and may fetch from nowhere else', async () => {
  const nonces = new Set<string>()
  for (let turn = 0; turn < 3; turn++) {
    const { headers, body } = await fastify.inject('/api/docs/explorer')
    const policy = policyOf(headers)
    const nonce = /^'nonce-([\w-]{22})'$/.exec(policy['script-src']!)?.[1]
    assert.ok(nonce)
    nonces.add(nonce)
    for (const [tag] of body.matchAll(/<script[^>]*>/g)) assert.ok(tag.includes(`nonce="${nonce}"`), tag)
    assert.equal(policy['default-src'], "'none'")
    assert.equal(policy['connect-src'], "'self'")
    assert.equal(policy['font-src'], "'self'")
    assert.equal(policy['frame-ancestors'], "'none'")
    assert.ok(!/https?:\/\//.test(body), 'an address of somebody else')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-content-type-options'], 'nosniff')
  }
  assert.equal(nonces.size, 3)
})

test('the script of the page is served from our own server, compressed', async () => {
  const address = /src="([^"]+)"/.exec((await fastify.inject('/api/docs/explorer')).body)?.[1]
  const ask = (encoding: string) => fastify.inject({ url: address, headers: { 'accept-encoding': encoding } })
  const plain = await ask('identity')
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.match(plain.body, /createApiReference/)
  const [br, gzip] = await Promise.all([ask('gzip, deflate, br'), ask('gzip, br;q=0')])
  assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip'])
  assert.ok(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload))
  assert.ok(gunzipSync(gzip.rawPayload).equals(plain.rawPayload))
  assert.ok(br.rawPayload.length < 1_500_000)
})
