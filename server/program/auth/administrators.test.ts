import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ADMINISTRATOR,
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  PASSWORD,
  signIn,
  startApp,
  tokenInLink,
} from '../../../test/support/app.ts'
import { listAdministrators, makeAdministrator, removeAdministrator } from './administrators.ts'
import { prepareFirstAdministrator } from './first-administrator.ts'
import { makeResetLink } from './link-requests.ts'

const app = await startApp()
const { db } = app.services
await prepareFirstAdministrator(app.services)

const setUp = (url: string, body: object = { password: PASSWORD }) =>
  app.api('POST', '/auth/change-password', { token: tokenInLink(url), body })

/** Returns the link that an account's owner sees for a person they invite; null if they may not see it. */
async function linkOfPartner(owner: { id: string; token: string }, email: string): Promise<string | null> {
  const partner = await aPartner(app, owner, { email })
  return expectOk(await app.api('GET', `/partners/${partner.id}/invitation`, { token: owner.token })).body.url
}

const rolesOf = async (email: string, password = PASSWORD) => {
  const { token } = await signIn(app, email, password)
  return expectOk(await app.api('GET', '/users/me', { token })).body.roles
}

test('an operator creates an administrator with a link that works once and replaces the previous one', async () => {
  const email = anEmail('ops')
  const [first, second] = [
    await makeAdministrator(db, app.services, email, null),
    await makeAdministrator(db, app.services, email, null),
  ]
  assert.ok(first.outcome === 'invited' && second.outcome === 'invited' && first.url !== second.url)
  assert.equal((await setUp(first.url)).status, 401)
  assert.equal((await setUp(second.url, { email: anEmail(), password: PASSWORD })).status, 422)
  expectOk(await setUp(second.url))
  assert.equal((await setUp(second.url)).status, 401)
  assert.deepEqual(await rolesOf(email), [{ type: 'admin' }])
  assert.equal((await makeAdministrator(db, app.services, email, null)).outcome, 'already')
})

test('a password creates an administrator at once, and never changes an existing password', async () => {
  const email = anEmail('ops')
  assert.equal((await makeAdministrator(db, app.services, email, PASSWORD)).outcome, 'made')
  assert.deepEqual(await rolesOf(email), [{ type: 'admin' }])
  assert.equal((await makeAdministrator(db, app.services, email, 'another-orchid-44-lake')).outcome, 'has-password')
  assert.deepEqual(await rolesOf(email), [{ type: 'admin' }])
})

test('no account sees the link of a future administrator, nor after it is sent again', async () => {
  const [first, second] = [await anAccount(app), await anAccount(app)]
  const email = anEmail('ops')
  const seenBefore = await linkOfPartner(first, email)
  assert.ok(seenBefore)
  const { outcome } = await makeAdministrator(db, app.services, email, null)
  assert.equal(outcome, 'invited')
  assert.equal(await linkOfPartner(second, email), null)
  const { items } = expectOk(await app.api('GET', `/accounts/${first.id}/partners`, { token: first.token })).body
  const path = `/partners/${items[0].id}/invitation`
  assert.equal(expectOk(await app.api('GET', path, { token: first.token })).body.url, null)
})

test('a password not proved to be set by the mailbox’s owner never makes an administrator', async () => {
  const own = await anAccount(app)
  const email = anEmail('ops')
  const thief = await acceptInvitation(app, (await linkOfPartner(own, email))!, 'stolen-lantern-58-mill')
  const isAdministrator = async (token: string) => (await app.api('GET', '/accounts', { token })).status === 200

  const refused = await makeAdministrator(db, app.services, email, null)
  assert.equal(refused.outcome, 'unproven')
  assert.equal(await isAdministrator(thief.token), false)
  assert.equal((await makeAdministrator(db, app.services, email, PASSWORD)).outcome, 'has-password')

  assert.ok('url' in refused)
  expectOk(await setUp(refused.url))
  assert.equal((await app.api('GET', '/users/me', { token: thief.token })).status, 401)
  assert.equal((await makeAdministrator(db, app.services, email, null)).outcome, 'granted')
  assert.ok((await rolesOf(email)).some(({ type }: { type: string }) => type === 'admin'))
})

test('a user whose set-up link an owner could see does not become administrator by the operator’s link either', async () => {
  const own = await anAccount(app)
  const email = anEmail('ops')
  const seen = await linkOfPartner(own, email)
  const made = await makeAdministrator(db, app.services, email, null)
  assert.ok(made.outcome === 'invited')
  const thief = await acceptInvitation(app, seen!, 'stolen-lantern-58-mill')
  const body = { token: tokenInLink(made.url) }
  const accepted = await app.api('POST', '/auth/user-setup/accept', { token: thief.token, body })
  assert.deepEqual([accepted.status, accepted.body.error.code], [409, 'invalid_state'])

  const link = await makeResetLink(db, app.services, email)
  const { accessToken } = expectOk(await setUp(link!)).body
  expectOk(await app.api('POST', '/auth/user-setup/accept', { token: accessToken, body }))
  assert.ok((await rolesOf(email)).some(({ type }: { type: string }) => type === 'admin'))
})

test('removing an administrator applies from the next request on, and revokes the link that would restore them', async () => {
  const [one, two] = [anEmail('ops'), anEmail('ops')]
  await makeAdministrator(db, app.services, one, PASSWORD)
  const { token } = await signIn(app, one)
  const invited = await makeAdministrator(db, app.services, two, null)
  assert.ok(invited.outcome === 'invited')
  const stateOf = async (email: string) => (await listAdministrators(db)).find((entry) => entry.email === email)?.state
  assert.deepEqual([await stateOf(one), await stateOf(two)], ['active', 'invited'])

  assert.equal(await removeAdministrator(db, one), 'removed')
  assert.equal((await app.api('GET', '/accounts', { token })).status, 403)
  assert.equal(await removeAdministrator(db, one), null)
  assert.equal(await removeAdministrator(db, two), 'removed')
  assert.equal((await setUp(invited.url)).status, 401)
  assert.equal(await removeAdministrator(db, anEmail('nobody')), null)
  assert.deepEqual([await stateOf(one), await stateOf(two)], [undefined, undefined])
})

test('the last administrator who can sign in cannot be removed, even if two are removed at once', async () => {
  const small = await startApp({ config: { firstAdministrator: null } })
  const emails = [anEmail('ops'), anEmail('ops')]
  for (const email of emails) await makeAdministrator(small.services.db, small.services, email, PASSWORD)
  const outcomes = await Promise.all(emails.map((email) => removeAdministrator(small.services.db, email)))
  assert.deepEqual(outcomes.toSorted(), ['last', 'removed'])
  const [left] = await listAdministrators(small.services.db)
  assert.equal(left?.email, emails[outcomes.indexOf('last')])
})

test('the printed link for the first administrator stops working as soon as there is one', async () => {
  const fresh = await startApp({ config: { firstAdministrator: null } })
  const link = (await prepareFirstAdministrator(fresh.services))!
  const path = '/auth/change-password'
  const take = () =>
    fresh.api('POST', path, { token: tokenInLink(link), body: { email: anEmail('late'), password: PASSWORD } })
  const email = anEmail('ops')
  const results = await Promise.all([
    take(),
    makeAdministrator(fresh.services.db, fresh.services, email, PASSWORD),
    take(),
  ])
  const administrators = async () =>
    (await fresh.services.db.one<{ count: number }>`select count(*) as count from user_roles where type = 'admin'`)
      .count
  const takenFirst = [results[0], results[2]].filter(({ status }) => status === 200).length
  assert.equal(await administrators(), 1 + takenFirst)
  assert.ok(takenFirst <= 1)
  assert.deepEqual([(await take()).status, (await take()).body.error.code], [401, 'token_expired'])

  const other = await startApp({ config: { firstAdministrator: null } })
  const unused = (await prepareFirstAdministrator(other.services))!
  assert.equal((await makeAdministrator(other.services.db, other.services, email, PASSWORD)).outcome, 'made')
  assert.equal(
    expectOk(await other.api('GET', '/auth/user-setup', { token: tokenInLink(unused) })).body.status,
    'expired',
  )
  const late = await other.api('POST', path, {
    token: tokenInLink(unused),
    body: { email: anEmail(), password: PASSWORD },
  })
  assert.deepEqual([late.status, late.body.error.code], [401, 'token_expired'])
})

test('an operator gets a password reset link to pass on, which is recorded in the activity', async () => {
  const link = await makeResetLink(db, app.services, ADMINISTRATOR.email)
  const body = { password: PASSWORD }
  expectOk(await app.api('POST', '/auth/change-password', { token: tokenInLink(link!), body }))
  assert.equal((await app.api('POST', '/auth/change-password', { token: tokenInLink(link!), body })).status, 401)
  assert.deepEqual(await rolesOf(ADMINISTRATOR.email), [{ type: 'admin' }])
  assert.equal(await makeResetLink(db, app.services, anEmail('nobody')), null)
  const { count } = await db.one<{ count: number }>`
    select count(*) as count from events e join users u on u.id = e.subject_id
    where e.type = 'password.reset-link-made' and e.audited and u.email = ${ADMINISTRATOR.email}`
  assert.equal(count, 1)
})
