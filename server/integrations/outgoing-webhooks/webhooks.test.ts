import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, expectOk, startApp } from '../../../test/support/app.ts'
import { MOST_OUTGOING_WEBHOOKS } from './webhooks.ts'

const app = await startApp()
const { db } = app.services
const account = await anAccount(app)
const other = await anAccount(app)
const call = (method: string, path: string, body?: unknown, { token } = account) =>
  app.api(method, path, { token, body })
const LIST = `/accounts/${account.id}/outgoing-webhooks`
let made = 0
const aBody = (fields: object = {}) => ({
  name: 'CRM',
  url: `https://hooks.example.com/${++made}`,
  events: ['lead.created'],
  ...fields,
})
const create = async (fields: object = {}) => expectOk(await call('POST', LIST, aBody(fields))).body
const refusal = async (method: string, path: string, body: unknown) => {
  const reply = await call(method, path, body)
  return [reply.status, reply.body.error?.code, Object.keys(reply.body.error?.fields ?? {}).join(' ')]
}

test('a webhook is created, read, listed, changed and deleted; its secret is shown once', async () => {
  const { secret, ...webhook } = await create({
    name: ' CRM sync ',
    events: ['sale.created', 'lead.created', 'sale.created'],
  })
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const { id, createdAt, updatedAt, ...rest } = webhook
  assert.deepEqual(rest, {
    accountId: account.id,
    name: 'CRM sync',
    url: `https://hooks.example.com/${made}`,
    format: 'json',
    events: ['sale.created', 'lead.created'],
    headers: {},
    enabled: true,
    disabledReason: null,
    consecutiveFailures: 0,
    lastDeliveryAt: null,
  })
  assert.equal(createdAt, updatedAt)
  assert.deepEqual(expectOk(await call('GET', `/outgoing-webhooks/${id}`)).body, webhook)
  const { body: list } = expectOk(await call('GET', `${LIST}?search=crm%20SYNC`))
  assert.deepEqual(list.items, [webhook])
  const { body: changed } = expectOk(await call('PUT', `/outgoing-webhooks/${id}`, { events: ['*'] }))
  assert.deepEqual([changed.events, changed.name, changed.url], [['*'], 'CRM sync', webhook.url])
  assert.equal((await call('DELETE', `/outgoing-webhooks/${id}`)).status, 204)
  assert.equal((await call('DELETE', `/outgoing-webhooks/${id}`)).status, 404)
  assert.equal((await call('PUT', `/outgoing-webhooks/${id}`, { name: 'x' })).status, 404)
  assert.ok(!JSON.stringify(expectOk(await call('GET', LIST)).body).includes(id))
})

test('a write-only value is not sent to another server: it must be entered again with the new address', async () => {
  const webhook = await create({ headers: { Authorization: 'Bearer secret-of-the-crm' } })
  const path = `/outgoing-webhooks/${webhook.id}`
  const missing = [422, 'validation_failed', 'headers.Authorization']
  const away = ['https://elsewhere.example/in', 'https://hooks.example.com:8443/in', 'https://a.hooks.example.com/in']
  for (const url of away) {
    assert.deepEqual(await refusal('PUT', path, { url, headers: { Authorization: '•••' } }), missing, url)
    assert.deepEqual(await refusal('PUT', path, { url }), missing, url)
    assert.deepEqual(await refusal('PUT', path, { url, name: 'Moved' }), missing, url)
  }
  assert.equal(expectOk(await call('GET', path)).body.url, webhook.url)
  expectOk(
    await call('PUT', path, { url: `https://HOOKS.example.com:443/${webhook.id}`, headers: { Authorization: '•••' } }),
  )
  const [url] = away
  expectOk(await call('PUT', path, { url, headers: { Authorization: 'another' } }))
  const moved = await create({ headers: { Authorization: 'x' } })
  expectOk(await call('PUT', `/outgoing-webhooks/${moved.id}`, { url: `${url}/again`, headers: {} }))
})

test('an address is stored in the form in which it is called, so that the one shown is the one used', async () => {
  const id = ++made
  const typed = {
    [`https://hooks.example.com/${id}/\u202emoc.live//:sptth`]: `https://hooks.example.com/${id}/%E2%80%AEmoc.live//:sptth`,
    [`https://evil.example\\@hooks.example.com/${id}`]: `https://evil.example/@hooks.example.com/${id}`,
    [`HTTPS://Hooks.Example.com/a/../${id}`]: `https://hooks.example.com/${id}`,
  }
  for (const [url, kept] of Object.entries(typed)) {
    const { secret: _, ...webhook } = await create({ url })
    assert.equal(webhook.url, kept)
    const other = await create()
    assert.equal(
      expectOk(await call('PUT', `/outgoing-webhooks/${other.id}`, { url: `${url}/2` })).body.url,
      `${kept}/2`,
    )
  }
  const long = `https://hooks.example.com/${'é'.repeat(1000)}`
  assert.deepEqual(await refusal('POST', LIST, aBody({ url: long })), [422, 'validation_failed', 'url'])
})

test('header values are never returned; sent back masked they stay, and a new name needs a value', async () => {
  const webhook = await create({ headers: { Authorization: 'Bearer secret-of-the-crm', 'X-Team': 'sales' } })
  assert.deepEqual(webhook.headers, { Authorization: '•••', 'X-Team': '•••' })
  const path = `/outgoing-webhooks/${webhook.id}`
  const { body } = expectOk(await call('PUT', path, { headers: { Authorization: '•••', 'X-New': 'new' } }))
  assert.deepEqual(body.headers, { Authorization: '•••', 'X-New': '•••' })
  assert.deepEqual(await refusal('PUT', path, { headers: { 'X-Other': '•••' } }), [
    422,
    'validation_failed',
    'headers.X-Other',
  ])
  assert.deepEqual(await refusal('POST', LIST, aBody({ headers: { 'X-A': '•••' } })), [
    422,
    'validation_failed',
    'headers.X-A',
  ])
  const kept =
    await db.many`select * from outgoing_webhooks w join events e on e.subject_id = w.id where w.id = ${webhook.id}`
  assert.ok(kept.length >= 2)
  assert.doesNotMatch(JSON.stringify(kept), /secret-of-the-crm/)
})

test('disallowed addresses and headers are refused, each with its field', async () => {
  for (const url of [
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://printer.local/',
    'https://user:secret@hooks.example.com/',
    'https://hooks.example.com:22/',
    'ftp://hooks.example.com/',
    'javascript:alert(1)',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'hooks',
  ])
    assert.deepEqual(await refusal('POST', LIST, aBody({ url })), [422, 'validation_failed', 'url'], url)
  for (const name of ['Host', 'webhook-signature', 'Content-Type', 'Transfer-Encoding', 'a b', 'é'])
    assert.deepEqual(
      await refusal('POST', LIST, aBody({ headers: { [name]: 'x' } })),
      [422, 'validation_failed', `headers.${name}`],
      name,
    )
  assert.deepEqual(await refusal('POST', LIST, aBody({ headers: { 'X-A': 'a\r\nHost: b' } })), [
    422,
    'validation_failed',
    'headers.X-A',
  ])
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`X-${n}`, 'x']))
  assert.deepEqual(await refusal('POST', LIST, aBody({ headers: many })), [422, 'validation_failed', 'headers'])
  assert.deepEqual(await refusal('POST', LIST, aBody({ headers: { 'X-A': '1', 'x-a': '2' } })), [
    422,
    'validation_failed',
    'headers',
  ])
})

test('unknown events, no events, or all events together with single ones are refused', async () => {
  for (const events of [[], ['*', 'lead.created'], ['webhook.test'], 'lead.created'])
    assert.deepEqual(await refusal('POST', LIST, aBody({ events })).then(([status]) => status), 422, String(events))
  assert.deepEqual(await refusal('POST', LIST, aBody({ events: ['lead.sold'] })), [
    422,
    'validation_failed',
    'events.0',
  ])
  const { body } = expectOk(await call('GET', '/outgoing-webhooks/events'))
  assert.equal(body.items.length, 56)
  expectOk(await call('POST', LIST, aBody({ events: body.items.map(({ type }: { type: string }) => type) })))
})

test('the same address with the same events is refused, also when sent concurrently or changed to', async () => {
  const body = aBody({ events: ['sale.created', 'lead.created'] })
  const replies = await Promise.all(Array.from({ length: 4 }, () => call('POST', LIST, body)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409])
  assert.deepEqual(await refusal('POST', LIST, { ...body, events: body.events.toReversed() }), [
    409,
    'duplicate',
    'url',
  ])
  const second = await create()
  const change = { url: body.url, events: body.events }
  assert.deepEqual(await refusal('PUT', `/outgoing-webhooks/${second.id}`, change), [409, 'duplicate', 'url'])
  expectOk(await call('POST', LIST, { ...body, events: ['*'] }))
  expectOk(await call('POST', `/accounts/${other.id}/outgoing-webhooks`, body, other))
  const first = replies.find(({ status }) => status === 201)!.body
  expectOk(await call('DELETE', `/outgoing-webhooks/${first.id}`))
  expectOk(await call('POST', LIST, body))
})

test('an account has at most fifty outgoing webhooks', async () => {
  const third = await anAccount(app)
  const list = `/accounts/${third.id}/outgoing-webhooks`
  for (let n = 0; n < MOST_OUTGOING_WEBHOOKS; n++) expectOk(await call('POST', list, aBody(), third))
  const { status, body } = await call('POST', list, aBody(), third)
  assert.deepEqual([status, body.error.code], [409, 'invalid_state'])
})

test('the activity shows who created, changed, rotated and deleted it, without secrets', async () => {
  const { id, secret } = await create({ name: 'Audited' })
  expectOk(await call('PUT', `/outgoing-webhooks/${id}`, { name: 'Renamed', headers: { 'X-A': 'very-secret' } }))
  const { body: rotated } = expectOk(await call('POST', `/outgoing-webhooks/${id}/secret`))
  expectOk(await call('DELETE', `/outgoing-webhooks/${id}`))
  const lines = await db.many<{ action: string; changes: unknown }>`
    select action, changes, actor_id from audit where subject_id = ${id} order by at, id`
  assert.deepEqual(
    lines.map(({ action }) => action.split('.')[1]),
    ['created', 'updated', 'secret-rotated', 'deleted'],
  )
  assert.deepEqual(lines[1]!.changes, {
    name: { old: 'Audited', new: 'Renamed' },
    headerNames: { old: [], new: ['X-A'] },
  })
  for (const hidden of ['very-secret', secret, rotated.secret]) assert.ok(!JSON.stringify(lines).includes(hidden))
})

test('webhooks that fail, or were disabled for failing, are on the dashboard', async () => {
  const its = await anAccount(app)
  const attention = async () => {
    const { body } = expectOk(await call('GET', `/accounts/${its.id}/dashboard/2026-01-01..2026-01-31`, undefined, its))
    return body.attention.find(({ kind }: { kind: string }) => kind === 'failing-webhook')
  }
  const { body } = expectOk(await call('POST', `/accounts/${its.id}/outgoing-webhooks`, aBody(), its))
  assert.equal(await attention(), undefined)
  await db.run`update outgoing_webhooks set failures = 2 where id = ${body.id}`
  assert.deepEqual(await attention(), {
    ...{ kind: 'failing-webhook', count: 1, amount: null, since: null, value: null },
    link: '/integrations/outgoing-webhooks',
  })
})

test('test events are limited by account, whoever of its team sends them', async () => {
  const { config } = app.services
  const limited = await startApp({ db, config: { secretKey: config.secretKey, rateLimitFactor: 1 } })
  const [one, two] = [await anAccount(app), await anAccount(app)]
  await db.run`
    insert into user_roles (user_id, type, account_id, created_at)
    select id, 'account-owner', ${one.id}, now() from users where email = ${two.ownerEmail}`
  const hookOf = async ({ id, token }: typeof one) =>
    expectOk(await call('POST', `/accounts/${id}/outgoing-webhooks`, aBody(), { token } as typeof one)).body.id
  const [ofOne, ofTwo] = [await hookOf(one), await hookOf(two)]
  const send = async (hook: string, { token }: typeof one) =>
    (await limited.api('POST', `/outgoing-webhooks/${hook}/test`, { token })).status
  const statuses: number[] = []
  for (const by of [one, one, one, two, two, two, two, one]) statuses.push(await send(ofOne, by))
  assert.deepEqual(statuses, [202, 202, 202, 202, 202, 202, 429, 429])
  assert.equal(await send(ofTwo, two), 202, 'another account')
})
