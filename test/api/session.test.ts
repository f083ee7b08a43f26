import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setUpUrl } from '../../server/program/auth/invitations.ts'
import { assertFields, assertRefused, callerOf } from '../support/api.ts'
import {
  accept,
  anAccount,
  anEmail,
  aPartner,
  ok,
  PASSWORD,
  signIn,
  startApp,
  tokenOf,
  turnableClock,
} from '../support/app.ts'

// Session and user.

const clock = turnableClock()
const app = await startApp({ clock })
const account = await anAccount(app, { name: 'Northwind' })
const nobody = callerOf(app, null)

test('the set-up link says whom it is for; used and unknown links say nothing', async () => {
  const partner = await aPartner(app, account, { firstName: 'Pia', lastName: 'Tern' })
  const { url } = await callerOf(app, account.token).get(`/partners/${partner.id}/invitation`)
  const token = tokenOf(url)
  const setup = await callerOf(app, token).get('/auth/user-setup')
  assert.deepEqual(setup, {
    email: partner.email,
    firstName: 'Pia',
    lastName: 'Tern',
    accountName: 'Northwind',
    invitedBy: 'Nora Wind',
    status: 'valid',
  })
  assertRefused(await callerOf(app, token).call('GET', '/users/me'), 401, 'unauthenticated')
  assertRefused(await callerOf(app, token).call('POST', '/auth/confirm', { password: 'x' }), 401, 'unauthenticated')
  const short = await callerOf(app, token).call('POST', '/auth/change-password', { password: 'short' })
  assertRefused(short, 422, 'validation_failed', ['password'])
  const common = await callerOf(app, token).call('POST', '/auth/change-password', { password: 'password1234' })
  assertRefused(common, 422, 'validation_failed', ['password'])
  const named = { password: PASSWORD, email: anEmail() }
  assertRefused(await callerOf(app, token).call('POST', '/auth/change-password', named), 422, 'validation_failed', [
    'email',
  ])
  const session = await accept(app, url)
  const me = await callerOf(app, session.token).get('/users/me')
  assertFields(me, 'id, email, firstName, lastName, roles, createdAt, updatedAt')
  assert.deepEqual(me.roles, [
    { type: 'partner', partnerId: partner.id, accountId: account.id, accountName: 'Northwind' },
  ])
  assert.deepEqual([me.email, me.firstName, me.lastName], [partner.email, 'Pia', 'Tern'])
  const nothing = { email: null, firstName: null, lastName: null, accountName: null, invitedBy: null }
  assert.deepEqual(await callerOf(app, token).get('/auth/user-setup'), { ...nothing, status: 'used' })
  const again = await callerOf(app, token).call('POST', '/auth/change-password', { password: PASSWORD })
  assertRefused(again, 401, 'token_expired')
  for (const wrong of ['unknown', account.token.slice(0, -1)])
    assert.equal((await callerOf(app, wrong).call('GET', '/auth/user-setup')).status, 401)
})

test('an expired link says only that', async (t) => {
  t.after(() => clock.set(new Date()))
  const partner = await aPartner(app, account)
  const { url } = await callerOf(app, account.token).get(`/partners/${partner.id}/invitation`)
  clock.advance(7 * 86_400_000 + 1000)
  const setup = await callerOf(app, tokenOf(url)).get('/auth/user-setup')
  assert.deepEqual([setup.status, setup.email, setup.accountName], ['expired', null, null])
  const late = await callerOf(app, tokenOf(url)).call('POST', '/auth/change-password', { password: PASSWORD })
  assertRefused(late, 401, 'token_expired')
})

test('a user who has a password accepts as themselves, and nobody else can', async () => {
  const first = await aPartner(app, account, {}, { signIn: true })
  const other = await anAccount(app, { name: 'Southwind' })
  const second = await aPartner(app, other, { email: first.email })
  const invitation = await callerOf(app, other.token).get(`/partners/${second.id}/invitation`)
  assert.equal(invitation.url, null, 'never shown of who is a user')
  const row = await app.services.db.one<{ id: string; sendCount: number }>`
    select id, send_count from invitations where partner_id = ${second.id}`
  const token = tokenOf(setUpUrl(app.services, row))
  assert.equal((await callerOf(app, token).get('/auth/user-setup')).status, 'existing-user')
  const taken = await callerOf(app, token).call('POST', '/auth/change-password', { password: PASSWORD })
  assertRefused(taken, 409, 'invalid_state')
  const stranger = await callerOf(app, account.token).call('POST', '/auth/user-setup/accept', { token })
  assertRefused(stranger, 403, 'forbidden')
  const user = await callerOf(app, first.token).post('/auth/user-setup/accept', { token })
  assert.deepEqual(user.roles.map(({ accountName }: { accountName: string }) => accountName).sort(), [
    'Northwind',
    'Southwind',
  ])
  assert.equal((await callerOf(app, first.token).get(`/partners/${second.id}`)).state, 'active')
})

test('refresh: new tokens, the old one dies; sign-out ends the access token too', async (t) => {
  t.after(() => clock.set(new Date()))
  const partner = await aPartner(app, account, {}, { signIn: true })
  const fresh = ok(await nobody.call('POST', '/auth/refresh', { refreshToken: partner.refreshToken })).body
  assertFields(fresh, 'accessToken refreshToken')
  assert.equal((await callerOf(app, fresh.accessToken).call('GET', '/users/me')).status, 200)
  clock.advance(20_000)
  assert.equal((await nobody.call('POST', '/auth/refresh', { refreshToken: partner.refreshToken })).status, 401)
  assert.equal((await nobody.call('POST', '/auth/refresh', { refreshToken: fresh.refreshToken })).status, 401)
  assert.equal((await callerOf(app, fresh.accessToken).call('GET', '/users/me')).status, 401)

  const next = await signIn(app, partner.email)
  for (let times = 0; times < 2; times++)
    assert.equal((await nobody.call('POST', '/auth/sign-out', { refreshToken: next.refreshToken })).status, 204)
  assert.equal((await nobody.call('POST', '/auth/sign-out', { refreshToken: 'unknown' })).status, 204)
  assert.equal((await callerOf(app, next.token).call('GET', '/users/me')).status, 401)
  const wrong = await nobody.call('POST', '/auth/sign-in', { email: partner.email, password: 'x' })
  const unknown = await nobody.call('POST', '/auth/sign-in', { email: anEmail(), password: 'x' })
  assertRefused(wrong, 401, 'invalid_credentials')
  assert.deepEqual(wrong.body.error, unknown.body.error)
  const aged = await signIn(app, partner.email)
  clock.advance(15 * 60_000 + 1000)
  assert.equal((await callerOf(app, aged.token).call('GET', '/users/me')).status, 401)
})

test('profile: a part changes a part; preferences are an object of at most 16 kB', async () => {
  const partner = await aPartner(app, account, { firstName: 'Pia', lastName: 'Tern' }, { signIn: true })
  const me = callerOf(app, partner.token)
  const changed = await me.patch('/users/me', { firstName: '  Ada ' })
  assert.deepEqual([changed.firstName, changed.lastName], ['Ada', 'Tern'])
  assert.equal((await me.patch('/users/me', { lastName: null })).lastName, null)
  assert.deepEqual((await me.patch('/users/me', { preferences: { theme: 'dark', 'a.b': [1] } })).preferences, {
    theme: 'dark',
    'a.b': [1],
  })
  for (const preferences of [[], 'x', null, { big: 'x'.repeat(16_400) }])
    assertRefused(await me.call('PATCH', '/users/me', { preferences }), 422, 'validation_failed', ['preferences'])
  for (const field of ['email', 'roles', 'id'])
    assertRefused(await me.call('PATCH', '/users/me', { [field]: 'x' }), 422, 'validation_failed', [field])
})

test('sessions: listed, ended one by one or all others; the password needs the present one', async () => {
  const partner = await aPartner(app, account, {}, { signIn: true })
  const second = await signIn(app, partner.email)
  const me = callerOf(app, partner.token)
  const list = await me.get('/users/me/sessions')
  assert.equal(list.total, 2)
  assertFields(list.items[0], 'id, createdAt, lastUsedAt, userAgent, address, current')
  assert.deepEqual(list.items.map(({ current }: { current: boolean }) => current).sort(), [false, true])
  const other = list.items.find(({ current }: { current: boolean }) => !current)
  assertRefused(await callerOf(app, account.token).call('DELETE', `/users/me/sessions/${other.id}`), 404, 'not_found')
  assert.equal((await me.call('DELETE', `/users/me/sessions/${other.id}`)).status, 204)
  assert.equal((await callerOf(app, second.token).call('GET', '/users/me')).status, 401)
  const third = await signIn(app, partner.email)
  const next = 'violet-harbour-26-stone'
  assertRefused(await me.call('POST', '/auth/change-password', { password: next }), 422, 'validation_failed', [
    'currentPassword',
  ])
  const wrong = await me.call('POST', '/auth/change-password', { password: next, currentPassword: 'wrong' })
  assertRefused(wrong, 401, 'invalid_credentials')
  const tokens = await me.post('/auth/change-password', { password: next, currentPassword: PASSWORD })
  assertFields(tokens, 'accessToken refreshToken')
  assert.equal((await callerOf(app, third.token).call('GET', '/users/me')).status, 401)
  const own = callerOf(app, tokens.accessToken)
  assert.equal((await own.call('POST', '/auth/confirm', { password: next })).status, 204)
  assertRefused(await own.call('POST', '/auth/confirm', { password: PASSWORD }), 401, 'invalid_credentials')
  assert.equal((await own.call('DELETE', '/users/me/sessions')).status, 204)
  assert.equal((await own.get('/users/me/sessions')).total, 1)
})

test('a reset is always accepted; an administrator has that role alone', async () => {
  for (const email of [account.ownerEmail, anEmail()]) {
    const reply = await nobody.call('POST', '/auth/reset-password', { email })
    assert.deepEqual([reply.status, reply.body], [202, null])
    assert.equal((await nobody.call('POST', '/auth/user-setup/retries', { email })).status, 202)
  }
  assertRefused(await nobody.call('POST', '/auth/reset-password', { email: 'x' }), 422, 'validation_failed', ['email'])
  const me = await callerOf(app, account.admin).get('/users/me')
  assert.deepEqual(me.roles, [{ type: 'admin' }])
  const owner = await callerOf(app, account.token).get('/users/me')
  assert.deepEqual(owner.roles, [{ type: 'account-owner', accountId: account.id, accountName: 'Northwind' }])
})
