import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ADMINISTRATOR,
  acceptInvitation,
  anAccount,
  anEmail,
  expectOk,
  getAdministratorToken,
  PASSWORD,
  startApp,
  tokenInLink,
  turnableClock,
  waitUntil,
} from '../../../test/support/app.ts'
import { findSavedMail, type KeptMail, listSavedMails } from '../../../test/support/saved-mails.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { tokenHash } from '../../platform/database/secrets.ts'
import { retention } from '../../retention.ts'
import { answerLinkRequest, resetToken, signInToken } from './link-requests.ts'
import { beginAttempt } from './sign-in-attempts.ts'

const NEW = 'harbour-kettle-58-fern'
const clock = turnableClock()
const app = await startApp({ clock, worker: true, config: { rateLimitFactor: 1000 } })
const account = await anAccount(app)

const trySignIn = (email: string, password: string) => app.api('POST', '/auth/sign-in', { body: { email, password } })
const change = (token: string, body: object) => app.api('POST', '/auth/change-password', { token, body })
const statusWith = async (token: string) => (await app.api('GET', '/users/me', { token })).status

/** The set-up link of a new account's owner. */
async function anInvitation(email = anEmail('invited')) {
  const body = { name: 'Larkspur', owner: { email } }
  const admin = await getAdministratorToken(app)
  return { email, ...expectOk(await app.api('POST', '/accounts', { token: admin, body })).body.ownerInvitation }
}

async function aResetLink(email: string) {
  const known = new Set((await listSavedMails(app)).map(({ name }) => name))
  assert.equal((await app.api('POST', '/auth/reset-password', { body: { email } })).status, 202)
  const isNew = ({ name, to }: KeptMail) => name.startsWith('password-reset-') && to.includes(email) && !known.has(name)
  return waitUntil(async () => (await listSavedMails(app)).find(isNew)?.link)
}

test('a token serves one purpose and no other', async () => {
  const invitation = await anInvitation()
  const session = expectOk(await trySignIn(account.ownerEmail, PASSWORD)).body
  const setUp = tokenInLink(invitation.url)
  const reset = tokenInLink(await aResetLink(account.ownerEmail))
  const apiKey = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body.apiKey
  for (const token of [setUp, reset, session.refreshToken]) {
    assert.equal(await statusWith(token), 401)
    assert.equal((await app.api('POST', '/auth/confirm', { token, body: { password: PASSWORD } })).status, 401)
  }
  assert.equal(await statusWith(apiKey), 403)
  for (const token of [reset, session.refreshToken, apiKey])
    assert.equal((await app.api('GET', '/auth/user-setup', { token })).status, 401)
  assert.equal((await app.api('GET', '/auth/user-setup', { token: session.accessToken })).status, 403)
  for (const token of [session.refreshToken, apiKey]) assert.equal((await change(token, { password: NEW })).status, 401)
  for (const refreshToken of [setUp, reset, session.accessToken, apiKey])
    assert.equal((await app.api('POST', '/auth/refresh', { body: { refreshToken } })).status, 401)
  for (const token of [reset, session.refreshToken])
    assert.equal(
      (await app.api('POST', '/auth/user-setup/accept', { token: session.accessToken, body: { token } })).status,
      401,
    )
  assert.equal((await change(session.accessToken, { password: NEW })).status, 422)
  assert.equal(await statusWith(session.accessToken), 200)
  assert.equal((await app.api('GET', '/auth/user-setup', { token: setUp })).body.status, 'valid')
})

test('a reset link sets the password once, signs in and ends all other sessions', async () => {
  const { email, url } = await anInvitation()
  const before = await acceptInvitation(app, url)
  const link = await aResetLink(email)
  const reply = expectOk(await change(tokenInLink(link), { password: NEW }))
  assert.equal(await statusWith(reply.body.accessToken), 200)
  assert.equal(await statusWith(before.token), 401)
  assert.equal((await trySignIn(email, PASSWORD)).status, 401)
  assert.equal((await trySignIn(email, NEW)).status, 200)
  const again = await change(tokenInLink(link), { password: 'another-kettle-58-fern' })
  assert.deepEqual([again.status, again.body.error.code], [401, 'token_expired'])
  assert.match((await findSavedMail(app, 'password-changed', email)).subject, /password was changed/)
})

test('a reset link expires after 60 minutes, and using one invalidates all others', async () => {
  const old = await aResetLink(account.ownerEmail)
  clock.advance(59 * 60_000)
  const [second, third] = [await aResetLink(account.ownerEmail), await aResetLink(account.ownerEmail)]
  clock.advance(2 * 60_000)
  assert.equal((await change(tokenInLink(old), { password: NEW })).body.error.code, 'token_expired')
  expectOk(await change(tokenInLink(second), { password: PASSWORD }))
  assert.equal((await change(tokenInLink(third), { password: NEW })).body.error.code, 'token_expired')
})

test('an unknown e-mail gets the same response as a known one, and resets are mailed three times an hour', async () => {
  const limited = await startApp({
    clock,
    config: { rateLimitFactor: 1, secretKey: Buffer.alloc(32, 3) },
    db: app.services.db,
  })
  const ask = (email: string) => limited.api('POST', '/auth/reset-password', { body: { email } })
  const { email, url } = await anInvitation()
  await acceptInvitation(app, url)
  const known = await ask(email)
  const unknown = await ask('nobody@nowhere.example')
  assert.deepEqual([known.status, known.body], [unknown.status, unknown.body])
  const askFrom = (network: string) =>
    answerLinkRequest(limited.services, { id: newId(), kind: 'reset', email, network })
  const count = async () =>
    (
      await app.services.db.one<{ count: number }>`
        select count(*) as count from password_resets r join users u on u.id = r.user_id where u.email = ${email}`
    ).count
  await waitUntil(async () => (await count()) === 1)
  for (let index = 0; index < 9; index++) await askFrom(`198.51.100.${index}`)
  assert.equal(await count(), 4)
  // requests by strangers do not use up the limit of networks the user is known in
  for (let index = 0; index < 4; index++) await askFrom('127.0.0.1')
  assert.equal(await count(), 7)

  const { id } = await app.services.db.one<{ id: string }>`
    select r.id from password_resets r join users u on u.id = r.user_id where u.email = ${email}
    order by r.created_at desc limit 1`
  const token = resetToken(limited.services.secrets, id)
  expectOk(await limited.api('POST', '/auth/change-password', { token, body: { password: NEW } }))
  await askFrom('198.51.100.77')
  assert.equal(await count(), 8)
  await limited.close()
})

test('a request for a link is answered before any look-up', async () => {
  const idle = await startApp()
  await getAdministratorToken(idle)
  const emails = [ADMINISTRATOR.email, 'nobody@nowhere.example']
  const made = async () => {
    const { count } = await idle.services.db.one<{ count: number }>`
      select (select count(*) from password_resets) + (select count(*) from events) + (select count(*) from passing_events) as count`
    return count
  }
  const before = await made()
  const { db } = idle.services
  // a look-up would wait for these locks, and the answer with it
  await transaction(db, async (tx) => {
    await tx.run`lock table users, invitations, password_resets in access exclusive mode`
    for (const email of emails)
      for (const path of ['/auth/reset-password', '/auth/user-setup/retries'])
        assert.equal((await idle.api('POST', path, { body: { email } })).status, 202)
  })
  const waiting = await db.many<{ email: string; kind: string; count: number }>`
    select data->>'email' as email, data->>'kind' as kind, count(*) as count from pgboss.job
    where name = 'link-request' group by 1, 2 order by 1, 2`
  assert.deepEqual(
    waiting,
    [...emails].sort().flatMap((email) => ['reset', 'set-up'].map((kind) => ({ email, kind, count: 1 }))),
  )
  assert.equal(await made(), before)
})

/** Returns the sign-in link, from the mail that also contains the reset link. */
async function bothLinks(email: string) {
  const reset = await aResetLink(email)
  const mail = (await listSavedMails(app)).find(({ link }) => link === reset)!
  const signIn = /http\S+\/auth\/sign-in#token=\S+/.exec(mail.text)![0]
  assert.ok(mail.html.includes(signIn))
  return { reset, signIn }
}
const signInBy = (link: string) => app.api('POST', '/auth/sign-in/link', { body: { token: tokenInLink(link) } })

test('the mail with the reset link also has one that signs in once within 15 minutes, and proves no password', async () => {
  const { email, url } = await anInvitation()
  const before = await acceptInvitation(app, url)
  const { reset, signIn } = await bothLinks(email)
  const { accessToken } = expectOk(await signInBy(signIn)).body
  assert.deepEqual([await statusWith(accessToken), await statusWith(before.token)], [200, 200])
  const { confirmedAt } = await app.services.db.one<{ confirmedAt: string | null }>`
    select confirmed_at from sessions where access_hash = ${tokenHash(accessToken)}`
  assert.equal(confirmedAt, null)
  const again = await signInBy(signIn)
  assert.deepEqual([again.status, again.body.error.code], [401, 'token_expired'])
  for (const link of [reset, url]) assert.equal((await signInBy(link)).status, 401)
  assert.equal((await change(tokenInLink(signIn), { password: NEW })).status, 401)
  expectOk(await change(tokenInLink(reset), { password: NEW }))

  const old = await bothLinks(email)
  clock.advance(15 * 60_000)
  assert.equal((await signInBy(old.signIn)).status, 401)
  const replaced = await bothLinks(email)
  expectOk(await change(tokenInLink(replaced.reset), { password: PASSWORD }))
  assert.equal((await signInBy(replaced.signIn)).status, 401)
})

test('a sign-in link helps a user slowed down by others’ failures', async () => {
  const config = { rateLimitFactor: 1, trustProxy: ['127.0.0.1'], secretKey: Buffer.alloc(32, 9) }
  const strict = await startApp({ clock, config, db: app.services.db })
  const { email } = ADMINISTRATOR
  for (let index = 0; index < 20; index++)
    await beginAttempt(strict.services.db, strict.services, { email, address: `192.0.2.${index}` })
  const headers = { 'x-forwarded-for': '203.0.113.8' }
  const refused = await strict.api('POST', '/auth/sign-in', { body: ADMINISTRATOR, headers })
  assert.equal(refused.status, 429)
  const id = newId()
  await answerLinkRequest(strict.services, { id, kind: 'reset', email, network: '203.0.113.8' })
  const token = signInToken(strict.services.secrets, id)
  expectOk(await strict.api('POST', '/auth/sign-in/link', { body: { token }, headers }))
  expectOk(await strict.api('POST', '/auth/sign-in', { body: ADMINISTRATOR, headers }))
  await strict.close()
})

test('used and expired links are deleted', async () => {
  clock.advance(2 * 3_600_000)
  const used = await aResetLink(account.ownerEmail)
  expectOk(await change(tokenInLink(used), { password: PASSWORD }))
  await aResetLink(account.ownerEmail)
  await retention.passwordResets(app.services)
  const { count } = await app.services.db.one<{ count: number }>`select count(*) as count from password_resets`
  assert.equal(count, 1)
})

test('a signed-in user changes the password with the current one', async () => {
  const { email, url } = await anInvitation()
  const first = await acceptInvitation(app, url)
  const other = expectOk(await trySignIn(email, PASSWORD)).body
  const missing = await change(first.token, { password: NEW })
  assert.equal(missing.body.error.fields.currentPassword, 'Current Password is required')
  const wrong = await change(first.token, { password: NEW, currentPassword: 'not-the-password' })
  assert.deepEqual([wrong.status, wrong.body.error.code], [401, 'invalid_credentials'])
  const { accessToken } = expectOk(await change(first.token, { password: NEW, currentPassword: PASSWORD })).body
  assert.deepEqual([await statusWith(accessToken), await statusWith(other.accessToken)], [200, 401])
  assert.equal((await trySignIn(email, NEW)).status, 200)
})

test('short, long and common passwords are refused, and the link still works', async () => {
  const { url, email } = await anInvitation('rosalind.pike@mail.example')
  const token = tokenInLink(url)
  const messages = {
    short: 'Use at least 12 characters',
    ['x'.repeat(129)]: 'Use at most 128 characters',
    password1234: 'This password is too common',
    'rosalind.pike1': 'This password is too common',
    'Larkspur-1234': 'This password is too common',
  }
  for (const [password, message] of Object.entries(messages)) {
    const reply = await change(token, { password })
    assert.deepEqual([reply.status, reply.body.error.fields], [422, { password: message }])
  }
  const padded = `  ${'ä'.repeat(11)}-x  `
  expectOk(await change(token, { password: padded }))
  assert.equal((await trySignIn(email, padded)).status, 200)
  assert.equal((await trySignIn(email, padded.trim())).status, 401)
})

test('only the first administrator’s link accepts an e-mail', async () => {
  const { url } = await anInvitation()
  const reply = await change(tokenInLink(url), { password: NEW, email: ADMINISTRATOR.email })
  assert.equal(reply.status, 422)
  assert.ok(reply.body.error.fields.email)
})

test('of two concurrent uses of one link, one succeeds', async () => {
  const { url } = await anInvitation()
  const replies = await Promise.all([
    change(tokenInLink(url), { password: NEW }),
    change(tokenInLink(url), { password: 'another-kettle-58-fern' }),
  ])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401])
})

test('a user without a password who requests a reset gets the set-up link again', async () => {
  const { email, url } = await anInvitation()
  clock.advance(61_000)
  await app.api('POST', '/auth/reset-password', { body: { email } })
  const mails = await waitUntil(async () => {
    const mails = (await listSavedMails(app)).filter(({ to }) => to.includes(email))
    return mails.length === 2 && mails
  })
  assert.deepEqual(
    mails.map(({ link }) => link),
    [url, url],
  )
  await acceptInvitation(app, url)
})
