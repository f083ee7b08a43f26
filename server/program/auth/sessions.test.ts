import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ADMINISTRATOR,
  expectOk,
  getAdministratorToken,
  startApp,
  turnableClock,
  waitUntil,
} from '../../../test/support/app.ts'
import { listSavedMails } from '../../../test/support/saved-mails.ts'
import { transaction } from '../../platform/database/pool.ts'
import { retention } from '../../retention.ts'
import { startSession } from './sessions.ts'

const MINUTE = 60_000
const DAY = 86_400_000

const clock = turnableClock()
const app = await startApp({ clock, worker: true })
await getAdministratorToken(app)
const { id: userId } = await app.services.db.one<{ id: string }>`
  select id from users where email = ${ADMINISTRATOR.email}`
const device = { address: '203.0.113.7', userAgent: 'a test' }
const begin = () =>
  transaction(app.services.db, (tx) =>
    startSession(tx, app.services.secrets, userId, device, { method: 'password', secondFactor: false }),
  )
const refresh = (refreshToken: string) => app.api('POST', '/auth/refresh', { body: { refreshToken } })
const statusWith = async (token: string) => (await app.api('GET', '/users/me', { token })).status

test('tokens are opaque, stored only as hashes, and an access token lasts 15 minutes', async () => {
  const { accessToken, refreshToken } = await begin()
  for (const token of [accessToken, refreshToken]) {
    assert.match(token, /^[\w-]{43}$/)
    const { found } = await app.services.db.one<{ found: boolean }>`
      select exists (select from sessions s join refresh_tokens r on r.session_id = s.id
        where s::text || r::text like ${`%${token}%`}) as found`
    assert.equal(found, false)
  }
  clock.advance(14 * MINUTE)
  assert.equal(await statusWith(accessToken), 200)
  clock.advance(2 * MINUTE)
  assert.equal(await statusWith(accessToken), 401)
})

test('a refresh gives a new pair, and the old access token stops', async () => {
  const first = await begin()
  const { body: second } = expectOk(await refresh(first.refreshToken))
  assert.notEqual(second.accessToken, first.accessToken)
  assert.notEqual(second.refreshToken, first.refreshToken)
  assert.equal(await statusWith(first.accessToken), 401)
  assert.equal(await statusWith(second.accessToken), 200)
})

test('a retry within 10 s gets the same pair, also when both arrive at once', async () => {
  const { refreshToken } = await begin()
  const together = await Promise.all([refresh(refreshToken), refresh(refreshToken), refresh(refreshToken)])
  clock.advance(9000)
  const later = await refresh(refreshToken)
  for (const reply of [...together, later]) assert.deepEqual(reply.body, expectOk(together[0]!).body)
  assert.equal(await statusWith(later.body.accessToken), 200)
})

test('a later use of a spent refresh token ends the session, and is audited and mailed', async () => {
  const { refreshToken } = await begin()
  const { body: second } = expectOk(await refresh(refreshToken))
  clock.advance(11_000)
  const reuse = await refresh(refreshToken)
  assert.equal(reuse.status, 401)
  assert.equal(reuse.body.error.code, 'token_expired')
  assert.equal(await statusWith(second.accessToken), 401)
  assert.equal((await refresh(second.refreshToken)).status, 401)
  const { count } = await app.services.db.one<{ count: number }>`
    select count(*) as count from audit where action = 'session.ended-for-reuse'`
  assert.equal(count, 1)
  const mail = await waitUntil(async () =>
    (await listSavedMails(app)).find(({ name }) => name.startsWith('session-ended-')),
  )
  assert.deepEqual(mail.to, [ADMINISTRATOR.email])
})

test('a token spent two refreshes ago ends the session even within 10 s', async () => {
  const { refreshToken } = await begin()
  const second = expectOk(await refresh(refreshToken)).body
  const third = expectOk(await refresh(second.refreshToken)).body
  assert.equal((await refresh(refreshToken)).status, 401)
  assert.equal(await statusWith(third.accessToken), 401)
})

test('a session ends after 14 days unused, and after 30 days however often it is used', async () => {
  const idle = await begin()
  const busy = await begin()
  let { refreshToken } = busy
  for (let day = 13; day < 30; day += 13) {
    clock.advance(13 * DAY)
    refreshToken = expectOk(await refresh(refreshToken)).body.refreshToken
  }
  assert.equal((await refresh(idle.refreshToken)).status, 401)
  clock.advance(3.9 * DAY)
  const last = expectOk(await refresh(refreshToken)).body
  clock.advance(0.2 * DAY)
  assert.equal((await refresh(last.refreshToken)).status, 401)
})

test('a user has at most 20 sessions; the oldest one ends', async () => {
  const sessions = []
  for (let index = 0; index < 21; index++) sessions.push(await begin())
  assert.equal(await statusWith(sessions[0]!.accessToken), 401)
  assert.equal(await statusWith(sessions[1]!.accessToken), 200)
  const list = expectOk(await app.api('GET', '/users/me/sessions', { token: sessions[20]!.accessToken })).body
  assert.equal(list.total, 20)
})

test('signing out ends the session at once, and returns the same for an unknown token', async () => {
  const { accessToken, refreshToken } = await begin()
  assert.equal((await app.api('POST', '/auth/sign-out', { body: { refreshToken } })).status, 204)
  assert.equal(await statusWith(accessToken), 401)
  assert.equal((await refresh(refreshToken)).status, 401)
  assert.equal((await app.api('POST', '/auth/sign-out', { body: { refreshToken } })).status, 204)
  assert.equal((await app.api('POST', '/auth/sign-out', { body: { refreshToken: 'unknown' } })).status, 204)
})

test('a user lists their sessions and ends one, or all others', async () => {
  const [here, there, elsewhere] = [await begin(), await begin(), await begin()]
  const token = here.accessToken
  const { body: list } = expectOk(await app.api('GET', '/users/me/sessions?limit=100', { token }))
  const current = list.items.filter((session: { current: boolean }) => session.current)
  assert.equal(current.length, 1)
  assert.deepEqual([current[0].address, current[0].userAgent], [device.address, device.userAgent])
  const { body: others } = expectOk(await app.api('GET', '/users/me/sessions?limit=100', { token: there.accessToken }))
  const its = others.items.find((session: { current: boolean }) => session.current)
  assert.equal((await app.api('DELETE', `/users/me/sessions/${its.id}`, { token })).status, 204)
  assert.equal((await app.api('DELETE', `/users/me/sessions/${its.id}`, { token })).status, 404)
  assert.equal(await statusWith(there.accessToken), 401)
  assert.equal(await statusWith(elsewhere.accessToken), 200)
  assert.equal((await app.api('DELETE', '/users/me/sessions', { token })).status, 204)
  assert.equal(await statusWith(elsewhere.accessToken), 401)
  assert.equal(await statusWith(token), 200)
})

test("nobody ends another user's session", async () => {
  const { accessToken: token } = await begin()
  const someone = await app.services.db.one<{ id: string }>`
    insert into users (id, email, created_at, updated_at)
    values (gen_random_uuid(), 'someone@else.example', now(), now()) returning id`
  const theirs = await transaction(app.services.db, (tx) =>
    startSession(tx, app.services.secrets, someone.id, device, { method: 'password', secondFactor: false }),
  )
  const { id } = await app.services.db.one<{ id: string }>`select id from sessions where user_id = ${someone.id}`
  assert.equal((await app.api('DELETE', `/users/me/sessions/${id}`, { token })).status, 404)
  assert.equal(await statusWith(theirs.accessToken), 200)
})

test('a user changes their names and preferences; omitted fields stay unchanged', async () => {
  const { accessToken: token } = await begin()
  const preferences = { theme: 'dark', views: [{ name: 'mine' }] }
  const changed = expectOk(
    await app.api('PATCH', '/users/me', { token, body: { firstName: ' Ada ', preferences } }),
  ).body
  assert.equal(changed.firstName, 'Ada')
  assert.deepEqual(changed.preferences, preferences)
  assert.equal(changed.environment, 'production')
  const again = expectOk(await app.api('PATCH', '/users/me', { token, body: { lastName: 'Byron' } })).body
  assert.deepEqual([again.firstName, again.lastName, again.preferences], ['Ada', 'Byron', preferences])
  assert.equal((await app.api('PATCH', '/users/me', { token, body: { email: 'x@y.example' } })).status, 422)
  for (const preferences of [[], 'x', null, { note: 'x'.repeat(17_000) }])
    assert.equal((await app.api('PATCH', '/users/me', { token, body: { preferences } })).status, 422)
  assert.equal(expectOk(await app.api('PATCH', '/users/me', { token, body: { lastName: null } })).body.lastName, null)
})

test('preferences are set by key: concurrent tabs keep both, null removes one, and their total size is limited', async () => {
  const { accessToken: token } = await begin()
  const set = (preferences: object) => app.api('PATCH', '/users/me', { token, body: { preferences } })
  expectOk(await set({ theme: null, views: null }))
  const keys = Array.from({ length: 10 }, (_, at) => `key${at}`)
  for (const reply of await Promise.all(keys.map((key) => set({ [key]: { from: key } })))) expectOk(reply)
  const all = Object.fromEntries(keys.map((key) => [key, { from: key }]))
  const read = async () => expectOk(await app.api('GET', '/users/me', { token })).body.preferences
  assert.deepEqual(await read(), all)
  assert.deepEqual(expectOk(await set({ key0: null, key1: { to: null }, missing: null })).body.preferences, {
    ...Object.fromEntries(keys.slice(2).map((key) => [key, { from: key }])),
    key1: { to: null },
  })
  const before = await read()
  expectOk(await set({ long: 'x'.repeat(10_000) }))
  const refused = await set({ longer: 'x'.repeat(10_000) })
  assert.equal(refused.status, 422)
  assert.equal(refused.body.error.fields.preferences, 'Use at most 16384 bytes')
  assert.deepEqual(await read(), { ...before, long: 'x'.repeat(10_000) })
})

test('only sessions that ended long ago are deleted, with their tokens', async () => {
  const { refreshToken } = await begin()
  const kept = await begin()
  expectOk(await app.api('POST', '/auth/sign-out', { body: { refreshToken } }))
  clock.advance(31 * DAY)
  const fresh = await begin()
  await retention.sessions(app.services)
  assert.equal((await refresh(refreshToken)).body.error.code, 'unauthenticated')
  assert.equal((await refresh(kept.refreshToken)).body.error.code, 'token_expired')
  assert.equal(await statusWith(fresh.accessToken), 200)
})
