import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  expectOk,
  startApp,
  type TestAccount,
  turnableClock,
  waitUntil,
} from '#test/support/app.ts'
import type { ApiKey } from '../contract.ts'

const HOUR = 3_600_000
const app = await startApp()

const keysOf = ({ id, token }: TestAccount, on = app) => {
  const path = `/accounts/${id}/api-keys`
  const call = (method: string, at = '', body?: unknown) => on.api(method, `${path}${at}`, { token, body })
  return {
    call,
    make: async (fields: object = {}) =>
      expectOk(await call('POST', '', { name: 'Reports', rights: ['read'], ...fields })).body,
    rotate: async (keyId: string) => expectOk(await call('POST', `/${keyId}/rotations`)).body,
    list: async () => expectOk(await call('GET', '?sort=name')).body.items,
  }
}
const reads = async ({ id }: TestAccount, token: string, on = app) =>
  (await on.api('GET', `/accounts/${id}/partners`, { token })).status
const pushes = async (token: string, on = app) =>
  (await on.api('POST', '/push/leads', { token, body: { email: anEmail() } })).status
const reasonOf = ({ status, body }: { status: number; body: { error: { reason: string } } }) =>
  `${status} ${body.error.reason}`

test('a key is shown once, then identified by its last four characters', async () => {
  const account = await anAccount(app)
  const keys = keysOf(account)
  const { key, ...made } = await keys.make({ name: ' Zoë’s 📈 reports ', rights: ['read', 'push', 'read'] })
  assert.match(key, /^tpk_[\w-]{43}$/)
  const { id, createdAt, createdBy, ...fields } = made
  const { id: userId } = expectOk(await app.api('GET', '/users/me', { token: account.token })).body
  assert.deepEqual(createdBy, { userId, name: 'Nora Wind' })
  assert.deepEqual(fields, {
    ...{ name: 'Zoë’s 📈 reports', rights: ['push', 'read'], lastFour: key.slice(-4) },
    ...{ lastUsedAt: null, expiresAt: null, replacedBy: null },
  })
  assert.deepEqual(await keys.list(), [made])
  const rows = await app.services.db.many`select * from api_keys where account_id = ${account.id}`
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(key))
  assert.equal(await reads(account, key), 200)
  assert.equal(await pushes(key), 201)
})

test('owners read who created or last rotated a key, and others of the team do not', async () => {
  const account = await anAccount(app)
  const keys = keysOf(account)
  const join = async (role: string) => {
    const body = { email: anEmail(role), role, firstName: 'Sam' }
    const { userId, url } = expectOk(
      await app.api('POST', `/accounts/${account.id}/members`, { token: account.token, body }),
    ).body
    return { ...account, userId, ...(await acceptInvitation(app, url)) }
  }
  const sam = await join('owner')
  const made = await keysOf(sam).make()
  assert.deepEqual(made.createdBy, { userId: sam.userId, name: 'Sam' })
  const rotated = await keys.rotate(made.id)
  expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: sam.token }))
  const makers = async (on = keys) =>
    (await on.list()).map(({ name, replacedBy, createdBy }: ApiKey) => [name, replacedBy !== null, createdBy?.name])
  assert.equal(rotated.createdBy.name, 'Nora Wind')
  expectOk(await app.api('DELETE', `/accounts/${account.id}/members/${sam.userId}`, { token: account.token }))
  const expected = [
    ['Push data', false, 'Sam'],
    ['Reports', false, 'Nora Wind'],
    ['Reports', true, 'Sam'],
  ]
  assert.deepEqual((await makers()).toSorted(), expected)
  for (const { token } of [await join('manager'), { token: rotated.key }])
    assert.ok((await keysOf({ ...account, token }).list()).every(({ createdBy }: ApiKey) => createdBy === null))
  // a key of an earlier release
  await app.services.db.run`update api_keys set created_by = null where account_id = ${account.id}`
  assert.ok((await keys.list()).every(({ createdBy }: ApiKey) => createdBy === null))
})

test('the account’s key is the first of the list, and is replaced at once', async () => {
  const account = await anAccount(app)
  const keys = keysOf(account)
  const renew = async () =>
    expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body
  const first = (await renew()).apiKey
  const [listed] = await keys.list()
  assert.deepEqual(
    [listed.id, listed.name, listed.rights, listed.lastFour],
    [account.id, 'Push data', ['push'], first.slice(-4)],
  )
  // rotated, both work; renewed, neither does
  const { key: second, id } = await keys.rotate(listed.id)
  assert.equal(id, account.id)
  const { body } = await app.api('GET', `/accounts/${account.id}`, { token: account.token })
  assert.equal(body.apiKey, second)
  assert.deepEqual([await pushes(first), await pushes(second)], [201, 201])
  const third = (await renew()).apiKey
  assert.deepEqual([await pushes(first), await pushes(second), await pushes(third)], [401, 401, 201])
  assert.equal((await keys.list()).length, 1)
  // deleted, it can be made again
  expectOk(await keys.call('DELETE', `/${account.id}`))
  assert.equal(await pushes(third), 401)
  const gone = await app.api('GET', `/accounts/${account.id}`, { token: account.token })
  assert.equal(gone.body.apiKey, null)
  assert.equal(await pushes((await renew()).apiKey), 201)
})

test('a rotated key works for one more day, however often it is rotated', async () => {
  const clock = turnableClock()
  const own = await startApp({ clock })
  const account = await anAccount(own)
  const keys = keysOf(account, own)
  const { key: first, id } = await keys.make()
  const { key: second, ...rotated } = await keys.rotate(id)
  assert.deepEqual([rotated.id, rotated.name, rotated.rights], [id, 'Reports', ['read']])
  const former = (await keys.list()).find(({ replacedBy }: { replacedBy: string }) => replacedBy === id)
  assert.deepEqual([former.lastFour, former.name], [first.slice(-4), 'Reports'])
  assert.equal(reasonOf(await keys.call('POST', `/${former.id}/rotations`)), '409 api_key_replaced')
  const { key: third } = await keys.rotate(id)
  const all = async () => [
    await reads(account, first, own),
    await reads(account, second, own),
    await reads(account, third, own),
  ]
  assert.deepEqual(await all(), [200, 200, 200])
  assert.equal((await keys.list()).length, 3)
  expectOk(await keys.call('DELETE', `/${former.id}`))
  assert.deepEqual(await all(), [401, 200, 200])
  clock.advance(24 * HOUR)
  assert.deepEqual(await all(), [401, 401, 200])
})

test('a key stops at its expiry, and rotating it does not postpone that', async () => {
  const clock = turnableClock()
  const own = await startApp({ clock })
  const account = await anAccount(own)
  const owner = async () =>
    expectOk(
      await own.api('POST', '/auth/sign-in', {
        body: { email: account.ownerEmail, password: 'copper-meadow-71-sail' },
      }),
    ).body.accessToken
  const expiresAt = new Date(clock.now().getTime() + 2 * HOUR).toISOString()
  const keys = keysOf(account, own)
  const past = await keys.call('POST', '', { name: 'x', rights: ['read'], expiresAt: '2020-01-01T00:00:00Z' })
  assert.equal(past.body.error.fields.expiresAt, 'Choose a time in the future')
  const { key: first, id } = await keys.make({ expiresAt })
  const { key: second, ...rotated } = await keys.rotate(id)
  assert.equal(rotated.expiresAt, expiresAt)
  const ends = (await keys.list()).map((one: { expiresAt: string }) => one.expiresAt)
  assert.deepEqual(ends, [expiresAt, expiresAt])
  clock.advance(2 * HOUR)
  assert.deepEqual([await reads(account, first, own), await reads(account, second, own)], [401, 401])
  const later = keysOf({ ...account, token: await owner() }, own)
  assert.deepEqual(
    (await later.list()).map((one: { id: string }) => one.id),
    [id],
    'it stays in sight',
  )
  assert.equal(reasonOf(await later.call('POST', `/${id}/rotations`)), '409 api_key_expired')
  await later.make() // its name is free again
})

test('names are unique, twenty keys are the maximum, and other accounts’ keys are not found', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const keys = keysOf(account)
  const { id } = await keys.make()
  for (const name of ['reports', 'PUSH DATA'])
    assert.equal(reasonOf(await keys.call('POST', '', { name, rights: ['read'] })), '409 api_key_name_taken')
  for (const [body, field] of [
    [{ name: '', rights: ['read'] }, 'name'],
    [{ name: 'x'.repeat(41), rights: ['read'] }, 'name'],
    [{ name: 'x', rights: [] }, 'rights'],
    [{ name: 'x', rights: ['write'] }, 'rights.0'],
    [{ name: 'x', rights: ['read'], key: 'mine' }, 'key'],
  ] as const)
    assert.deepEqual(Object.keys((await keys.call('POST', '', body)).body.error.fields), [field])
  const foreign = keysOf(other)
  for (const [method, at] of [
    ['DELETE', `/${id}`],
    ['POST', `/${id}/rotations`],
    ['DELETE', '/not-an-id'],
  ] as const)
    assert.equal((await foreign.call(method, at)).status, 404)
  // many at once come one after another
  const many = await Promise.all(
    Array.from({ length: 25 }, (_, index) => keys.call('POST', '', { name: `Key ${index}`, rights: ['read'] })),
  )
  assert.equal(many.filter(({ status }) => status === 201).length, 19)
  const refused = many.find(({ status }) => status !== 201)!
  assert.equal(reasonOf(refused), '409 too_many_api_keys')
  assert.equal(reasonOf(await keys.call('POST', `/${id}/rotations`)), '409 too_many_api_keys')
  expectOk(await keys.call('DELETE', `/${many.find(({ status }) => status === 201)!.body.id}`))
  await keys.rotate(id)
})

test('a deleted key is refused from the next request on, in every process, even during other requests', async () => {
  const second = await startApp({ db: app.services.db, config: { secretKey: app.services.config.secretKey } })
  const account = await anAccount(app)
  const keys = keysOf(account)
  const { id, key } = await keys.make({ rights: ['push', 'read'] })
  const { key: next } = await keys.rotate(id)
  for (const token of [key, next]) {
    assert.equal(await reads(account, token, second), 200)
    assert.equal(await pushes(token, second), 201)
  }
  const email = anEmail('payer')
  expectOk(await app.api('POST', '/push/leads', { token: next, body: { email } }))
  const sale = () => ({ externalId: anEmail('sale'), email, amount: 100 })
  const waiting = Array.from({ length: 20 }, () => second.api('POST', '/push/sales', { token: key, body: sale() }))
  expectOk(await keys.call('DELETE', `/${id}`))
  for (const on of [app, second])
    for (const token of [key, next]) {
      assert.equal(await reads(account, token, on), 401)
      assert.equal(await pushes(token, on), 401)
    }
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  const taken = statuses.filter((status) => status === 201).length
  assert.equal(taken + statuses.filter((status) => status === 401).length, 20)
  const { body } = await app.api('GET', `/accounts/${account.id}/sales`, { token: account.token })
  assert.equal(body.total, taken, 'what was let in is written, and nothing else')
  assert.equal((await keys.call('DELETE', `/${id}`)).status, 404)
})

test('calls made with a key name it: in the activity, on timelines, and when repeated', async () => {
  const account = await anAccount(app)
  const keys = keysOf(account)
  const { id, key } = await keys.make({ name: 'Billing', rights: ['push'] })
  const push = (token: string, headers = {}) =>
    app.api('POST', '/push/leads', { token, body: { email: 'once@mail.example' }, headers })
  const made = await push(key, { 'idempotency-key': 'one' })
  assert.equal(made.status, 201)
  const { key: next } = await keys.rotate(id)
  const again = await push(next, { 'idempotency-key': 'one' })
  assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, 'true'])
  const { key: another } = await keys.make({ name: 'Shop', rights: ['push'] })
  const elsewhere = await push(another, { 'idempotency-key': 'one' })
  assert.deepEqual([elsewhere.status, elsewhere.headers.get('idempotency-replayed')], [200, null])

  const timeline = await app.api('GET', `/leads/${made.body.id}/events`, { token: account.token })
  assert.ok(timeline.body.items.some(({ actor }: { actor: string }) => actor === 'API: Billing'))
  expectOk(await keys.call('DELETE', `/${id}`))
  const audit = await app.api('GET', `/accounts/${account.id}/audit`, { token: account.token })
  const actions = audit.body.items
    .filter(({ subject }: { subject: { id: string } }) => subject.id === id)
    .map(({ action, changes }: { action: string; changes: { name: { new: string } } }) => [action, changes.name.new])
  assert.deepEqual(actions, [
    ['api-key.deleted', 'Billing'],
    ['api-key.rotated', 'Billing'],
    ['api-key.created', 'Billing'],
  ])
  assert.doesNotMatch(JSON.stringify(audit.body), /tpk_/)
  const { key: reading } = await keys.make({ name: 'Nightly', rights: ['read'] })
  expectOk(await app.api('GET', `/accounts/${account.id}/audit/csv`, { token: reading }))
  const [taken] = (await app.api('GET', `/accounts/${account.id}/audit?action=list`, { token: account.token })).body
    .items
  assert.deepEqual([taken.actor.type, taken.actor.name], ['api-key', 'Nightly'])
  const events = await app.services.db.many<{ actorId: string }>`
    select actor_id from events where subject_id = ${made.body.id} and actor_type = 'api-key' limit 1`
  assert.deepEqual(events, [{ actorId: id }])
})

test('the last use of a key is stored to the minute', async () => {
  const clock = turnableClock('2026-05-01T10:00:00Z')
  const own = await startApp({ clock })
  const account = await anAccount(own)
  const keys = keysOf(account, own)
  const { key } = await keys.make()
  const lastUsed = async () => (await keys.list())[0].lastUsedAt as string | null
  clock.stop()
  assert.equal(await reads(account, key, own), 200)
  const first = await waitUntil(lastUsed)
  clock.advance(59_000)
  assert.equal(await reads(account, key, own), 200)
  assert.equal(await lastUsed(), first)
  clock.advance(1000)
  assert.equal(await reads(account, key, own), 200)
  const later = await waitUntil(async () => (await lastUsed()) !== first && lastUsed())
  assert.equal(Date.parse(later) - Date.parse(first), 60_000)
})

test('a key’s calls count by that key: 120 pushes and 300 reads a minute', async () => {
  const limited = await startApp({ config: { rateLimitFactor: 0.1 } })
  const account = await anAccount(limited)
  const keys = keysOf(account, limited)
  const { key } = await keys.make({ rights: ['push', 'read'] })
  const { key: other } = await keys.make({ name: 'Other', rights: ['push'] })
  for (let sent = 0; sent < 12; sent++) assert.equal(await pushes(key, limited), 201)
  assert.equal(await pushes(key, limited), 429)
  assert.equal(await pushes(other, limited), 201)
  const left = (await limited.api('GET', `/accounts/${account.id}`, { token: key })).headers.get('ratelimit-limit')
  assert.equal(left, '30')
  // refused for its rights, a call counts like any other
  for (let sent = 1; sent < 30; sent++) await reads(account, other, limited)
  assert.deepEqual([await reads(account, other, limited), await reads(account, other, limited)], [403, 429])
})
