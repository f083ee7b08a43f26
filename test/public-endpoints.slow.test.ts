import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { anAccount, aPartner, expectOk, type Reply, startApp } from './support/app.ts'
import { aBlueprint } from './support/links.ts'

// Every door of the server, for any caller: callers are counted by properties they cannot choose, and every answer has
// the headers that keep it out of caches and frames.

const PROXY = '127.0.0.1'
/** A fiftieth of every limit, so that the widest is reached soon. */
const FACTOR = 0.02
const MOST_CALLS = 3000 * FACTOR + 1

const app = await startApp({ config: { trustProxy: [PROXY] } })
const account = await anAccount(app)
const { apiKey, publicId } = expectOk(
  await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token }),
).body
const elements = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
const config = Object.fromEntries(elements.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
expectOk(await app.api('PUT', `/accounts/${account.id}/embed-code`, { token: account.token, body: { config } }))
const partner = await aPartner(app, account)
const blueprint = await aBlueprint(app, account)

const ABSENT = '01900000-0000-7000-8000-000000000000'
const pathOf = ({ path }: Endpoint) =>
  `/api/v1${path
    .replace(/:range/, '2026-01-01..2026-01-31')
    .replace(/:year/, '2026')
    .replace(/:day/, '2026-01-31')
    .replace(/:\w+/g, ABSENT)}`

/** Doors outside the contract. */
const doors: [string, string][] = [
  ['GET', '/'],
  ['HEAD', '/leads/new'],
  ['GET', '/assets/none.js'],
  ['PUT', '/'],
  ['GET', `/${'x'.repeat(8001)}`],
  ['GET', '/health/live'],
  ['GET', '/health/ready'],
  ['GET', '/metrics'],
  ['GET', '/api/docs'],
  ['GET', '/api/docs/explorer'],
  ['GET', '/api/v1/openapi.json'],
  ['GET', '/api/v1/no/such/call'],
  ['GET', `/embed/${publicId}.js`],
  ['GET', '/embed/unknown.js'],
  ['GET', '/embed/none.txt'],
  ['OPTIONS', `/embed/${publicId}/leads`],
  ['POST', `/embed/${publicId}/leads`],
  ['POST', `/embed/${publicId}/clicks`],
  ['POST', `/embed/${publicId}/checks`],
  ['POST', `/embed/${publicId}/keep`],
  ['GET', '/s/unknown.js'],
  ['OPTIONS', '/s/unknown/leads'],
  ['POST', '/s/unknown/leads'],
  ['POST', '/embed/unknown/leads'],
  ['POST', '/hooks/wise'],
  ['POST', '/hooks/providers/stripe/unknown'],
  ['POST', '/hooks/providers/stripe'],
  ['POST', '/hooks/none'],
  ['POST', '/mcp'],
  ['GET', '/mcp'],
  ['DELETE', '/mcp'],
  ['GET', '/r/unknown1/unknown'],
  ['GET', '/files/abcdefghijklmnopqrstuv'],
  ['POST', `/r/${blueprint.key}/${partner.referralCode}`],
]

let callers = 0
/** A new address behind the proxy, unused by any other call. */
const anAddress = () => `198.18.${(++callers >> 8) & 255}.${callers & 255}`
const madeUp = () => randomBytes(32).toString('base64url')

/** Headers by which one caller may pose as a new one each time: a token, invented addresses, a port. */
const disguise = (address: string, turn: number) => ({
  authorization: `Bearer ${madeUp()}`,
  'x-forwarded-for': `${[`203.0.113.${turn % 250}`, 'junk', ''][turn % 3]}, ${address}${turn % 2 ? `:${1024 + turn}` : ''}`,
})

const limited = await startApp({
  config: { trustProxy: [PROXY], rateLimitFactor: FACTOR, secretKey: null },
  db: app.services.db,
})

test('whatever tokens and addresses are forged, one network is soon told to wait', async () => {
  const all = [...doors, ...endpoints.map((one): [string, string] => [one.method, pathOf(one)])]
  for (const [method, path] of all) {
    const address = anAddress()
    let last: Reply | undefined
    let turn = 0
    for (; turn < MOST_CALLS && last?.status !== 429; turn++) {
      const body = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? undefined : {}
      last = await callAt(limited.url, method, path, { headers: disguise(address, turn), body })
    }
    const what = `${method} ${path.slice(0, 60)}`
    assert.equal(last?.status, 429, `${what}: ${last?.status} after ${turn} calls`)
    assert.ok(Number(last.headers.get('retry-after')) >= 1, what)
    for (const name of ['limit', 'remaining', 'reset'])
      assert.ok(last.headers.get(`ratelimit-${name}`), `${what}: ${name}`)
    const { status } = await callAt(limited.url, method, path, { headers: disguise(anAddress(), 0) })
    assert.notEqual(status, 429, `${what}: another network is limited too`)
  }
})

test('no response may be framed, and no refusal cached', async () => {
  const bodies: Record<string, { body?: string; headers?: Record<string, string> }> = {
    'no body': {},
    'half a body': { body: '{' },
    'too large a body': { body: `"${'x'.repeat(300_000)}"` },
    'a form': { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    'a wrong field': { body: '{"referralCode":1,"token":1}' },
  }
  const unreadable: [string, string][] = [
    ['GET', '/%'],
    ['GET', `/r/${'x'.repeat(501)}/code`],
    ['GET', `/r/${blueprint.key}/${partner.referralCode}`],
    ['GET', `/r/${blueprint.key}/nobody`],
  ]
  const statuses = new Set<number>()
  for (const [method, path] of [...doors, ...unreadable])
    for (const [kind, sent] of Object.entries(method === 'POST' || method === 'PUT' ? bodies : { '': {} })) {
      const { status, headers } = await callAt(app.url, method, path, sent)
      const what = `${method} ${path.slice(0, 60)} with ${kind}: ${status}`
      statuses.add(status)
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, what)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', what)
      if (status >= 300 && status !== 304) assert.equal(headers.get('cache-control'), 'no-store', what)
      assert.ok(headers.get('cache-control'), what)
    }
  for (const status of [202, 302, 400, 404, 413, 415, 422]) assert.ok(statuses.has(status), `none answered ${status}`)
})

test('a valid key has its own count, whatever address it is used from', async () => {
  const push = (address: string) =>
    limited.api('POST', '/push/clicks', { token: apiKey, body: {}, headers: { 'x-forwarded-for': address } })
  const statuses = []
  for (let turn = 0; turn < 4; turn++) statuses.push((await push(anAddress())).status)
  assert.deepEqual(statuses, [422, 422, 422, 429])
})

test('strangers in a network do not use up the limit of its users', async () => {
  const address = anAddress()
  const get = (token: string) => limited.api('GET', '/users/me', { token, headers: { 'x-forwarded-for': address } })
  for (let turn = 0; turn < 20; turn++) await get(madeUp())
  assert.equal((await get(madeUp())).status, 429)
  assert.equal((await get(account.token)).status, 200)
})

test('a visitor who follows links too often is redirected, without a click', async () => {
  const visit = (address: string) =>
    limited.api('GET', `/r/${blueprint.key}/${partner.referralCode}`, {
      headers: { 'x-forwarded-for': address, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    })
  const address = anAddress()
  const clicks: boolean[] = []
  for (let turn = 0; turn < 14; turn++) {
    const { status, headers } = await visit(`${address}:${1024 + turn}`)
    assert.equal(status, 302)
    const { searchParams } = new URL(headers.get('location')!)
    assert.equal(searchParams.get('ref'), partner.referralCode)
    clicks.push(searchParams.has('click'))
  }
  assert.deepEqual(clicks, [...Array(12).fill(true), false, false])
  assert.ok(new URL((await visit(anAddress())).headers.get('location')!).searchParams.has('click'))
})

test('an invalid address from a proxy is neither counted nor stored', async () => {
  const body = { email: account.ownerEmail, password: 'copper-meadow-71-sail' }
  for (const header of ['x'.repeat(5000), '203.0.113.9:4711']) {
    const headers = { 'x-forwarded-for': header }
    const token = expectOk(await app.api('POST', '/auth/sign-in', { body, headers })).body.accessToken
    const { items } = expectOk(await app.api('GET', '/users/me/sessions', { token })).body
    const { address } = items.find(({ current }: { current: boolean }) => current)
    assert.equal(address, header.length > 100 ? PROXY : '203.0.113.9')
  }
})

/** `app.api`, from a given source address. */
async function callAt(
  url: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Reply> {
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.text() }
}
