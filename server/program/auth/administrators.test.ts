import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMINISTRATOR, anEmail, ok, PASSWORD, signIn, startApp, tokenOf } from '../../../test/support/app.ts'
import { makeAdministrator } from './administrators.ts'
import { prepareFirstAdministrator } from './first-administrator.ts'
import { makeResetLink } from './link-requests.ts'

const app = await startApp()
const { db } = app.services
await prepareFirstAdministrator(app.services)

const rolesOf = async (email: string, password = PASSWORD) => {
  const { token } = await signIn(app, email, password)
  return ok(await app.api('GET', '/users/me', { token })).body.roles
}

test('an operator makes an administrator by a link that works once and replaces the one before', async () => {
  const email = anEmail('ops')
  const [first, second] = [
    await makeAdministrator(db, app.services, email, null),
    await makeAdministrator(db, app.services, email, null),
  ]
  assert.ok(first.outcome === 'invited' && second.outcome === 'invited' && first.url !== second.url)
  const setUp = (url: string, body: object) => app.api('POST', '/auth/change-password', { token: tokenOf(url), body })
  assert.equal((await setUp(first.url, { password: PASSWORD })).status, 401)
  assert.equal((await setUp(second.url, { email: anEmail(), password: PASSWORD })).status, 422)
  ok(await setUp(second.url, { password: PASSWORD }))
  assert.equal((await setUp(second.url, { password: PASSWORD })).status, 401)
  assert.deepEqual(await rolesOf(email), [{ type: 'admin' }])
  assert.equal((await makeAdministrator(db, app.services, email, null)).outcome, 'already')
})

test('a password makes an administrator at once, and changes nobody who has one', async () => {
  const email = anEmail('ops')
  assert.equal((await makeAdministrator(db, app.services, email, PASSWORD)).outcome, 'made')
  assert.deepEqual(await rolesOf(email), [{ type: 'admin' }])
  assert.equal((await makeAdministrator(db, app.services, email, 'another-orchid-44-lake')).outcome, 'has-password')
  assert.deepEqual(await rolesOf(email), [{ type: 'admin' }])
})

test('an operator hands on a link to a new password, which is kept in the activity', async () => {
  const link = await makeResetLink(db, app.services, ADMINISTRATOR.email)
  const body = { password: PASSWORD }
  ok(await app.api('POST', '/auth/change-password', { token: tokenOf(link!), body }))
  assert.equal((await app.api('POST', '/auth/change-password', { token: tokenOf(link!), body })).status, 401)
  assert.deepEqual(await rolesOf(ADMINISTRATOR.email), [{ type: 'admin' }])
  assert.equal(await makeResetLink(db, app.services, anEmail('nobody')), null)
  const { count } = await db.one<{ count: number }>`
    select count(*) as count from events where type = 'password.reset-link-made' and audited`
  assert.equal(count, 1)
})
