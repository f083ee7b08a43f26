import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Fastify, { type InjectOptions } from 'fastify'
import type { App } from '../../program/access/route.ts'
import { notFound } from '../refusal.ts'
import { answerErrors, sendRefusal } from './errors.ts'
import { secureAnswers, securityHeaders } from './security-headers.ts'
import { webRoutes } from './web-app.ts'

const PAGE = '<!doctype html><title>Tributary</title>'
const SCRIPT = 'export const words = "hello hello hello hello"'
const built = {
  'index.html': PAGE,
  'index.html.br': brotliCompressSync(PAGE),
  'theme.js': 'document.title',
  'assets/main-abc123.js': SCRIPT,
  'assets/main-abc123.js.br': brotliCompressSync(SCRIPT),
  'assets/main-abc123.js.gz': gzipSync(SCRIPT),
  'assets/main-abc123.js.map': '{}',
  'assets/mark-abc123.svg': '<svg/>',
}

type Setup = { files?: Record<string, string | Buffer>; appUrl?: string; framing?: Parameters<typeof webRoutes>[1] }

async function aServer(t: TestContext, { files = built, appUrl = 'http://localhost:3000', framing = {} }: Setup = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'web-app-'))
  const root = join(folder, 'web')
  await writeFile(join(folder, 'secret.txt'), 'secret')
  const write = async (files: Record<string, string | Buffer>) => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true })
      await writeFile(join(root, name), content)
    }
  }
  await write(files)
  const fastify = Fastify({ exposeHeadRoutes: false })
  t.after(async () => {
    await fastify.close()
    await rm(folder, { recursive: true })
  })
  answerErrors(fastify, { appUrl: 'http://localhost' })
  const app = { fastify, services: { config: { appUrl } } } as unknown as App
  secureAnswers(fastify, { appUrl })
  fastify.get('/api/v1/known', () => ({ a: 1 }))
  webRoutes(app, { root, ...framing })
  fastify.setNotFoundHandler((request, reply) => sendRefusal(request, reply, notFound()))
  const ask = (url: string, more: InjectOptions = {}) => fastify.inject({ url, ...more })
  return { ask, write, fastify }
}

test('the page is served at every address of the web application and always revalidated', async (t) => {
  const { ask } = await aServer(t)
  for (const url of ['/', '/index.html', '/leads/42?tab=sales', '/apian', '/robots', '/embedded', '/user-setup']) {
    const { statusCode, headers, body } = await ask(url)
    assert.equal(
      `${statusCode} ${headers['content-type']} ${headers['cache-control']}`,
      '200 text/html; charset=utf-8 no-cache',
      url,
    )
    assert.equal(body, PAGE)
  }
})

test('a screen with its own document gets the current one, also at addresses below it', async (t) => {
  const own = { ...built, 'auth/sign-in.html': 'sign in', 'mail/unsubscribe.html': 'unsubscribe' }
  const { ask, write } = await aServer(t, { files: own })
  const readBody = async (url: string) => (await ask(url)).body
  assert.equal(await readBody('/auth/sign-in'), 'sign in')
  assert.equal(await readBody('/auth/sign-in?to=%2Fleads'), 'sign in')
  assert.equal(await readBody('/mail/unsubscribe/token'), 'unsubscribe')
  for (const url of ['/auth', '/auth/', '/auth/sign-out', '/mail/unsubscribe/a/b', '/auth/..%2findex', '/.html'])
    assert.equal(await readBody(url), PAGE, url)

  await write({ 'auth/sign-in.html': 'sign in anew', 'index.html': 'new page' })
  assert.equal(await readBody('/auth/sign-in'), 'sign in anew')
})

test('the docs are separate documents; an unknown one is a 404 that links back to them', async (t) => {
  const own = { 'docs.html': 'contents', 'docs/start.html': 'start', 'docs/404.html': 'no such page' }
  const { ask } = await aServer(t, { files: { ...built, ...own } })
  const readReply = async (url: string) => {
    const { statusCode, body } = await ask(url)
    return `${statusCode} ${body}`
  }
  for (const url of ['/docs', '/docs/', '/docs?from=help']) assert.equal(await readReply(url), '200 contents', url)
  for (const url of ['/docs/start', '/docs/start/', '/docs/start.html']) assert.equal((await ask(url)).statusCode, 200)
  for (const url of ['/docs/none', '/docs/start/none', '/docs/..%2findex', '/docs//start', '/docs/404'])
    assert.equal(await readReply(url), '404 no such page', url)
  assert.equal(await readReply('/docsify'), `200 ${PAGE}`)

  const start = await ask('/docs/start')
  assert.deepEqual(
    [start.headers['content-type'], start.headers['cache-control']],
    ['text/html; charset=utf-8', 'no-cache'],
  )
  const again = (url: string) => ask(url, { headers: { 'if-none-match': String(start.headers.etag) } })
  assert.equal((await again('/docs/start')).statusCode, 304)
  const { etag } = (await ask('/docs/none')).headers
  assert.equal((await ask('/docs/none', { headers: { 'if-none-match': String(etag) } })).statusCode, 404)
  assert.equal((await ask('/docs', { method: 'POST' })).statusCode, 404)

  const without = await aServer(t)
  assert.equal((await without.ask('/docs')).statusCode, 404)
})

test('unknown server addresses, unknown assets and other methods are errors in JSON', async (t) => {
  const { ask } = await aServer(t)
  for (const url of [
    '/api',
    '/api/v1/nothing',
    '/r/none',
    '/embed/none.js',
    '/s/none.js',
    '/hooks/x',
    '/health/x',
    '/metrics/x',
  ])
    await isNotFound(ask(url))
  for (const url of ['/assets/gone-123.js', '/assets/', '/assets/main-abc123.js.map', '/assets/main-abc123.js.br'])
    await isNotFound(ask(url))
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const) await isNotFound(ask('/leads', { method }))
  async function isNotFound(answer: ReturnType<typeof ask>) {
    const { statusCode, headers, body } = await answer
    assert.equal(statusCode, 404)
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.equal(JSON.parse(body).error.code, 'not_found')
  }
})

test('no path leaves the folder', async (t) => {
  const { fastify } = await aServer(t)
  const address = await fastify.listen({ port: 0, host: '127.0.0.1' })
  const { connect } = await import('node:net')
  for (const path of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//../secret.txt',
    '/assets/%00../secret.txt',
  ]) {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    const answer = (await socket.toArray()).join('')
    assert.match(answer, /^HTTP\/1.1 (200|400|404) /)
    assert.ok(!answer.endsWith('secret'), path)
  }
})

test('hashed files are cached forever, others are revalidated and return 304 if unchanged', async (t) => {
  const { ask } = await aServer(t)
  const asset = await ask('/assets/main-abc123.js')
  assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(asset.headers['content-type'], 'text/javascript; charset=utf-8')
  const plain = await ask('/theme.js')
  assert.equal(plain.headers['cache-control'], 'no-cache')
  const again = await ask('/theme.js', { headers: { 'if-none-match': String(plain.headers.etag) } })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
  assert.equal((await ask('/theme.js', { headers: { 'if-none-match': 'W/"other"' } })).statusCode, 200)
})

test('files compressed at build time are sent to clients that accept them', async (t) => {
  const { ask } = await aServer(t)
  const requestEncoded = async (accept: string, url = '/assets/main-abc123.js') => {
    const { headers, rawPayload } = await ask(url, { headers: { 'accept-encoding': accept } })
    assert.equal(headers.vary, 'accept-encoding')
    assert.equal(Number(headers['content-length']), rawPayload.length)
    const encoding = String(headers['content-encoding'] ?? 'none')
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding] ?? ((bytes: Buffer) => bytes)
    return [encoding, unpack(rawPayload).toString()]
  }
  assert.deepEqual(await requestEncoded('gzip, deflate, br'), ['br', SCRIPT])
  assert.deepEqual(await requestEncoded('br;q=0, gzip;q=0.5'), ['gzip', SCRIPT])
  assert.deepEqual(await requestEncoded('br;q=0.0,gzip;q=0'), ['none', SCRIPT])
  assert.deepEqual(await requestEncoded('*'), ['br', SCRIPT])
  assert.deepEqual(await requestEncoded('xbr, brx'), ['none', SCRIPT])
  assert.deepEqual(await requestEncoded(''), ['none', SCRIPT])
  assert.deepEqual(await requestEncoded('br, gzip', '/leads'), ['br', PAGE])
  assert.deepEqual(await requestEncoded('br, gzip', '/theme.js'), ['none', 'document.title'])
})

test('HEAD returns only the headers', async (t) => {
  const { ask } = await aServer(t)
  const { statusCode, headers, body } = await ask('/assets/main-abc123.js', { method: 'HEAD' })
  assert.deepEqual([statusCode, Number(headers['content-length']), body], [200, SCRIPT.length, ''])
})

test('a page says that nothing is built yet; each build is found without a restart', async (t) => {
  const { ask, write } = await aServer(t, { files: {} as typeof built })
  const { statusCode, headers, body } = await ask('/')
  assert.equal(statusCode, 503)
  assert.match(String(headers['content-type']), /^text\/html/)
  assert.match(body, /not built yet/)
  await write(built)
  assert.equal((await ask('/')).body, PAGE)
  assert.equal((await ask('/assets/main-abc123.js')).body, SCRIPT)
  await write({ 'assets/main-def456.js': 'new', 'index.html': 'new page' })
  assert.equal((await ask('/')).body, 'new page')
  assert.equal((await ask('/assets/main-def456.js')).body, 'new')
})

test('every response has the security headers; only the app’s own files may be cached; HSTS needs https', async (t) => {
  const { ask } = await aServer(t)
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; " +
    "img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"
  for (const url of ['/', '/assets/main-abc123.js', '/api/v1/known', '/api/v1/unknown', '/r/none']) {
    const { headers } = await ask(url)
    assert.equal(headers['content-security-policy'], policy, url)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    assert.equal(headers['strict-transport-security'], undefined)
    assert.equal(headers['cache-control'] === 'no-store', /^\/(api|r)\//.test(url), url)
  }
  const secure = await aServer(t, { appUrl: 'https://partners.example.com' })
  assert.equal((await secure.ask('/')).headers['strict-transport-security'], 'max-age=31536000')
  assert.equal(securityHeaders({ appUrl: 'http://x' })['strict-transport-security'], undefined)
})

test('a document that may be framed is sent anew each time, with who may frame it; every other as ever', async (t) => {
  const framing = { framedBy: async (path: string) => (path === '/portal/one' ? 'https://app.example' : undefined) }
  const { ask } = await aServer(t, { framing })
  const etag = String((await ask('/portal/two')).headers.etag)
  const framed = await ask('/portal/one?theme=dark', { headers: { 'if-none-match': etag } })
  const ordinary = securityHeaders({ appUrl: 'http://localhost:3000' })['content-security-policy']!
  assert.deepEqual(
    [framed.statusCode, framed.body, framed.headers['cache-control'], framed.headers['content-security-policy']],
    [200, PAGE, 'no-store', ordinary.replace("frame-ancestors 'none'", 'frame-ancestors https://app.example')],
  )
  for (const url of ['/portal/two', '/portal/one/', '/', '/theme.js'])
    assert.equal((await ask(url)).headers['content-security-policy'], ordinary, url)
})
