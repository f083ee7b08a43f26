import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { type OidcFlaw, type OidcPerson, oidcAt, standInIssuer } from '../../../test/fakes/oidc.ts'
import {
  ADMINISTRATOR,
  acceptInvitation,
  anAccount,
  anEmail,
  expectOk,
  getAdministratorToken,
  PASSWORD,
  type Reply,
  startApp,
  tokenInLink,
} from '../../../test/support/app.ts'
import { totpCode } from '../../../test/support/authenticator.ts'
import { findSavedMail } from '../../../test/support/saved-mails.ts'
import { findAdministrators } from '../../integrations/mail/queries.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Services } from '../../platform/services.ts'
import { makeAdministrator, removeAdministrator } from './administrators.ts'
import { makeInvitationLinks } from './invitations.ts'
import { answerLinkRequest, makeResetLink } from './link-requests.ts'
import { hasVerifiedEmail } from './oidc.ts'

const issuer = await standInIssuer()
after(() => issuer.close())
const oidc = oidcAt(issuer)
const secretKey = randomBytes(32)
const app = await startApp({ config: { secretKey, oidc } })
const strict = await startApp({
  db: app.services.db,
  worker: true,
  config: { secretKey, oidc: { ...oidc, only: true } },
})
await getAdministratorToken(app)

const reasonOf = ({ status, body }: Reply) => (status < 300 ? status : `${status} ${body.error.reason}`)
const post = (path: string, body?: object, token?: string) => app.api('POST', path, { body, token })
let people = 0
const acme = (
  email = `${anEmail('person').split('@')[0]}@acme.example`,
): Required<Pick<OidcPerson, 'sub' | 'email'>> => ({
  sub: `subject-${++people}`,
  email,
})

/** Begins at the product and is sent back by the issuer, as a browser would be. */
async function begin(more: { confirm?: true; token?: string } = {}) {
  const secret = randomBytes(32).toString('base64url')
  const binding = createHash('sha256').update(secret).digest('base64url')
  const { confirm, token } = more
  const { url } = expectOk(await post('/auth/oidc', { binding, ...(confirm && { confirm }) }, token)).body
  const { headers } = await fetch(url, { redirect: 'manual' })
  const back = new URL(headers.get('location')!)
  assert.equal(`${back.origin}${back.pathname}`, `${app.url}/auth/oidc`)
  return { code: back.searchParams.get('code')!, state: back.searchParams.get('state')!, secret }
}

const finish = (answer: object, token?: string) => post('/auth/oidc/sign-in', answer, token)

async function signInAs(person: OidcPerson, flaw?: OidcFlaw) {
  Object.assign(issuer, { person, flaw })
  return finish(await begin())
}

/** An invited colleague, who has no password yet. */
async function invited(email: string) {
  const account = await anAccount(app)
  const body = { email, role: 'viewer' }
  const { url } = expectOk(await post(`/accounts/${account.id}/members`, body, account.token)).body
  return { account, url: url as string }
}

/** An account's owner with a password, whose link only administrators saw. */
async function owning(email: string) {
  const { ownerInvitation } = expectOk(
    await post('/accounts', { owner: { email } }, await getAdministratorToken(app)),
  ).body
  await acceptInvitation(app, ownerInvitation.url)
}

test('an invited person signs in at the issuer, accepts, and never has a password', async () => {
  const person = { ...acme(), email_verified: true }
  const { url, account } = await invited(person.email)
  const { accessToken } = expectOk(await signInAs(person)).body
  const me = expectOk(await app.api('GET', '/users/me', { token: accessToken })).body
  assert.deepEqual([me.email, me.secondFactor, me.roles], [person.email, 'on', []])
  expectOk(await post('/auth/user-setup/accept', { token: tokenInLink(url) }, accessToken))
  assert.equal((await app.api('GET', `/accounts/${account.id}`, { token: accessToken })).status, 200)
  const { items } = expectOk(await app.api('GET', '/users/me/sessions', { token: accessToken })).body
  assert.deepEqual([items[0].method, items[0].secondFactor], ['oidc', true])
  const { hours } = await app.services.db.one<{ hours: number }>`
    select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from sessions where id = ${items[0].id}`
  assert.equal(hours, 24)
  const [asked] = issuer.asked.slice(-1)
  assert.deepEqual(
    ['response_type', 'scope', 'code_challenge_method', 'max_age'].map((name) => asked!.searchParams.get(name)),
    ['code', 'openid email', 'S256', null],
  )
})

test('a set-up link of a person who has used single sign-on is shown to no one, and makes no password', async () => {
  const person = { ...acme(), email_verified: true }
  const { url } = await invited(person.email)
  expectOk(
    await post(
      '/auth/user-setup/accept',
      { token: tokenInLink(url) },
      expectOk(await signInAs(person)).body.accessToken,
    ),
  )
  const token = await getAdministratorToken(app)
  const body = { name: 'Second', owner: { email: person.email, firstName: 'Nora' } }
  const { ownerInvitation } = expectOk(await post('/accounts', body, token)).body
  assert.equal(ownerInvitation.url, null)
  const made = await makeInvitationLinks(app.services.db, app.services, person.email)
  const link = tokenInLink(made.at(-1)!.url)
  assert.equal(reasonOf(await post('/auth/change-password', { password: PASSWORD }, link)), '409 email_has_login')
  const { accessToken } = expectOk(await signInAs(person)).body
  expectOk(await post('/auth/user-setup/accept', { token: link }, accessToken))
})

test('the first sign-in of a person whom another person may have set up shuts that one out', async () => {
  const person = { ...acme(), email_verified: true }
  const { url } = await invited(person.email)
  const stranger = await acceptInvitation(app, url, 'stolen-lantern-58-mill')
  expectOk(await app.api('PATCH', '/users/me', { token: stranger.token, body: { firstName: 'Mallory' } }))
  const { secret } = expectOk(await post('/users/me/totp', undefined, stranger.token)).body
  const code = totpCode(secret, app.clock.now())
  expectOk(await app.api('PUT', '/users/me/totp', { token: stranger.token, body: { code } }))
  expectOk(await post('/users/me/tokens', { name: 'Assistant' }, stranger.token))

  const { accessToken } = expectOk(await signInAs(person)).body
  assert.equal((await app.api('GET', '/users/me', { token: stranger.token })).status, 401)
  const again = await post('/auth/sign-in', { email: person.email, password: 'stolen-lantern-58-mill' })
  assert.equal(reasonOf(again), '401 wrong_email_or_password')
  const me = expectOk(await app.api('GET', '/users/me', { token: accessToken })).body
  assert.deepEqual([me.firstName, me.roles.length], [null, 1])
  const { totp, passkeys } = expectOk(await app.api('GET', '/users/me/second-factor', { token: accessToken })).body
  const { items } = expectOk(await app.api('GET', '/users/me/tokens', { token: accessToken })).body
  assert.deepEqual([totp, passkeys, items], [null, [], []])

  // whose link proved the mailbox keeps the password
  const owner = { ...acme(), email_verified: true }
  await owning(owner.email)
  expectOk(await signInAs(owner))
  assert.equal(reasonOf(await post('/auth/sign-in', { email: owner.email, password: PASSWORD })), 200)
})

test('an administrator without a password gets the server’s mails, and is one who remains', async () => {
  const person = { ...acme(), email_verified: true }
  const made = await makeAdministrator(app.services.db, app.services, person.email, null)
  assert.ok(made.outcome === 'invited')
  const { accessToken } = expectOk(await signInAs(person)).body
  expectOk(await post('/auth/user-setup/accept', { token: tokenInLink(made.url) }, accessToken))
  const administrators = await findAdministrators(app.services.db)
  assert.ok(administrators.some(({ id }) => id === made.userId))

  const { email } = ADMINISTRATOR
  assert.equal(await removeAdministrator(app.services.db, email), 'removed')
  assert.equal(await removeAdministrator(app.services.db, person.email), 'last')
  await makeAdministrator(app.services.db, app.services, email, null)
})

test('the issuer’s subject decides from the first sign-in on', async () => {
  const person = { ...acme(), email_verified: true }
  await invited(person.email)
  expectOk(await signInAs(person))
  assert.equal(reasonOf(await signInAs({ ...person, sub: 'another' })), '403 oidc_identity_differs')
  const renamed = { ...person, email: `renamed-${person.email}` }
  const { accessToken } = expectOk(await signInAs(renamed)).body
  assert.equal(expectOk(await app.api('GET', '/users/me', { token: accessToken })).body.email, person.email)
  const other = acme()
  await invited(other.email)
  assert.equal(reasonOf(await signInAs({ ...person, email: other.email })), '403 oidc_identity_differs')
})

test('an e-mail that is unverified, of another domain or unknown lets nobody in', async () => {
  const person = acme()
  await invited(person.email)
  for (const claims of [{}, { email_verified: false }, { email_verified: false, xms_edov: true }, { xms_edov: true }])
    assert.equal(reasonOf(await signInAs({ ...person, ...claims })), '403 email_not_verified', JSON.stringify(claims))
  const verified = { email_verified: true }
  assert.equal(reasonOf(await signInAs({ ...acme(ADMINISTRATOR.email), ...verified })), '403 domain_not_listed')
  assert.equal(reasonOf(await signInAs({ ...acme('ann@sub.acme.example'), ...verified })), '403 domain_not_listed')
  assert.equal(reasonOf(await signInAs({ ...acme(), ...verified })), '403 not_invited')
})

test('an answer that the issuer did not give to this browser for this state is no session', async () => {
  const person = { ...acme(), email_verified: true }
  await invited(person.email)
  for (const flaw of ['key', 'nonce', 'audience', 'issuer', 'expired', 'missing'] as const)
    assert.equal(reasonOf(await signInAs(person, flaw)), '401 oidc_refused', flaw)
  Object.assign(issuer, { person, flaw: undefined })
  const one = await begin()
  const two = await begin()
  assert.equal(reasonOf(await finish({ ...one, secret: two.secret })), '401 oidc_refused', 'another browser')
  assert.equal(reasonOf(await finish({ ...one, code: two.code })), '401 oidc_refused', 'another sign-in’s code')
  assert.equal(reasonOf(await finish(one)), '401 oidc_refused', 'a state counts once')
  assert.equal(reasonOf(await finish({ ...two, iss: 'https://evil.example' })), '401 oidc_refused', 'another issuer')
  const three = await begin()
  const both = await Promise.all([finish(three), finish(three)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
})

test('a fresh proof is given by the same person, who has just signed in at the issuer', async () => {
  const person = { ...acme(), email_verified: true }
  await invited(person.email)
  const { accessToken: token } = expectOk(await signInAs(person)).body
  const renew = () => post('/users/me/tokens', { name: 'Assistant' }, token)
  assert.equal(reasonOf(await renew()), '403 password_first')
  assert.equal(reasonOf(await post('/auth/oidc', { binding: 'x'.repeat(43), confirm: true })), '401 sign_in_first')
  issuer.flaw = 'old'
  assert.equal(reasonOf(await finish(await begin({ confirm: true, token }), token)), '401 oidc_refused')
  issuer.flaw = undefined
  assert.equal(reasonOf(await finish(await begin({ confirm: true, token }))), '403 oidc_identity_differs')
  assert.equal(reasonOf(await finish(await begin({ confirm: true, token }), token)), 204)
  assert.equal(issuer.asked.at(-1)!.searchParams.get('max_age'), '0')
  assert.equal(reasonOf(await renew()), 201)
})

test('an access token made in a session of single sign-on ends with that session at the latest', async () => {
  const person = { ...acme(), email_verified: true }
  const { account, url } = await invited(person.email)
  const { accessToken: token } = expectOk(await signInAs(person)).body
  expectOk(await post('/auth/user-setup/accept', { token: tokenInLink(url) }, token))
  expectOk(await finish(await begin({ confirm: true, token }), token))
  const { items } = expectOk(await app.api('GET', '/users/me/sessions', { token })).body
  const { expiresAt: end } = await app.services.db.one<{ expiresAt: string }>`
    select expires_at from sessions where id = ${items[0].id}`
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString()
  for (const [expiresAt, expected] of [
    [undefined, end],
    [inAWeek, end],
    [inAnHour, inAnHour],
  ]) {
    const made = expectOk(
      await post('/users/me/tokens', { name: 'Assistant', ...(expiresAt && { expiresAt }) }, token),
    ).body
    assert.equal(made.expiresAt, expected)
  }
  const made = expectOk(await post('/users/me/tokens', { name: 'Assistant' }, token)).body
  const read = async () =>
    (
      await fetch(`${app.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${made.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
    ).status
  assert.equal(await read(), 200)
  app.clock.set(new Date(Date.parse(end) + 1000))
  assert.equal(await read(), 401)
  assert.equal((await app.api('GET', `/accounts/${account.id}`, { token })).status, 401)
  app.clock.set(new Date())
})

test('where it is the only way, all others are refused alike, but for the operator’s link', async () => {
  const person = { ...acme(), email_verified: true }
  await invited(person.email)
  const enter = (path: string, body: object, token?: string) => strict.api('POST', path, { body, token })
  for (const email of [person.email, 'unknown@acme.example'])
    assert.equal(reasonOf(await enter('/auth/sign-in', { email, password: PASSWORD })), '403 use_oidc')
  const { url } = await invited(`set-up-${person.email}`)
  assert.equal(reasonOf(await enter('/auth/change-password', { password: PASSWORD }, tokenInLink(url))), '403 use_oidc')
  assert.equal(reasonOf(await enter('/auth/reset-password', { email: person.email })), 202)
  assert.match((await findSavedMail(strict, 'single-sign-on', person.email)).subject, /Sign in with Okta/)
  assert.equal(await makeResetLink(app.services.db, strict.services, person.email), null)
  // the issuer is unavailable later, and this person never had a password
  expectOk(await signInAs(person))
  const link = await makeResetLink(app.services.db, strict.services, person.email)
  assert.equal(reasonOf(await enter('/auth/change-password', { password: PASSWORD }, tokenInLink(link!))), 200)
  assert.equal((await strict.api('GET', '/auth/methods')).body.oidc.only, true)
  expectOk(await enter('/auth/sign-in', ADMINISTRATOR))
})

test('a person who only ever signed in at the issuer can set a password once it is gone', async () => {
  const { db, config } = app.services
  const person = { ...acme(), email_verified: true }
  await invited(person.email)
  const ask = (services: Services) =>
    answerLinkRequest(services, { id: newId(), kind: 'reset', email: person.email, network: '192.0.2.0/24' })
  const links = () => db.value<number>`
    select count(*) from password_resets r join users u on u.id = r.user_id where u.email = ${person.email}`
  const without = { ...app.services, config: { ...config, oidc: null } }
  await ask(without)
  assert.equal(await links(), 0, 'who never signed in is invited again')
  expectOk(await signInAs(person))
  await ask(app.services)
  assert.match((await findSavedMail(strict, 'single-sign-on', person.email)).subject, /Sign in with Okta/)
  assert.equal(await links(), 0)
  await ask(without)
  assert.equal(await links(), 1)
})

test('where it is the only way, its session is not exchanged for a longer one by a password', async () => {
  const person = { ...acme(), email_verified: true }
  // from the time before
  await owning(person.email)
  const { accessToken: token } = expectOk(await signInAs(person)).body
  const change = { currentPassword: PASSWORD, password: 'velvet-harbor-28-pine' }
  assert.equal(reasonOf(await strict.api('POST', '/auth/change-password', { body: change, token })), '403 use_oidc')
  const { items } = expectOk(await strict.api('GET', '/users/me/sessions', { token })).body
  assert.deepEqual(
    items.map(({ method }: { method: string }) => method),
    ['oidc', 'password'],
  )
})

test('an issuer that is away is said to be so', async () => {
  const gone = { ...oidc, issuer: 'http://127.0.0.1:9' }
  const lost = await startApp({ db: app.services.db, config: { secretKey, oidc: gone } })
  const binding = 'x'.repeat(43)
  assert.equal(reasonOf(await lost.api('POST', '/auth/oidc', { body: { binding } })), '502 oidc_away')
  const none = await startApp({ db: app.services.db, config: { secretKey } })
  assert.equal(reasonOf(await none.api('POST', '/auth/oidc', { body: { binding } })), '409 oidc_unavailable')
})

test('Entra alone may say by its own claim that an e-mail is verified', () => {
  const entra = 'https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0'
  for (const xms_edov of [true, 1, '1', 'true']) assert.ok(hasVerifiedEmail({ iss: entra, xms_edov }))
  const others = ['https://issuer.example', 'https://login.microsoftonline.com.evil.example/v2.0', 'no address']
  for (const iss of others) assert.ok(!hasVerifiedEmail({ iss, xms_edov: true }), iss)
  assert.ok(!hasVerifiedEmail({ iss: entra, xms_edov: 0 }))
  assert.ok(!hasVerifiedEmail({ iss: entra, xms_edov: true, email_verified: false }))
})
