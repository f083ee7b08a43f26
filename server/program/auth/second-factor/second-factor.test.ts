import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { fakeReceiver } from '../../../../test/fakes/receiver.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  getAdministratorToken,
  PASSWORD,
  type Reply,
  startApp,
  turnableClock,
} from '../../../../test/support/app.ts'
import {
  Authenticator,
  androidKeyRevokedAt,
  encodeCbor,
  packed,
  totpCode,
} from '../../../../test/support/authenticator.ts'
import { findSavedMail } from '../../../../test/support/saved-mails.ts'
import { resetToken, signInToken } from '../link-requests.ts'
import { resetFactors } from './factors.ts'

const ORIGIN = 'https://partners.example.com'
const clock = turnableClock('2026-11-26T09:00:00Z')
const app = await startApp({ clock, worker: true, config: { appUrl: ORIGIN, secretKey: randomBytes(32) } })
const STEP = 30_000

type Person = { email: string; token: string }

const post = (path: string, body?: object, token?: string) => app.api('POST', path, { body, token })
const reasonOf = ({ status, body }: Reply) => (status < 300 ? status : `${status} ${body.error.reason}`)
const signIn = (email: string, more: object = {}) => post('/auth/sign-in', { email, password: PASSWORD, ...more })
const confirm = (token: string, proof: object) => post('/auth/confirm', proof, token)
const me = (token: string) => app.api('GET', '/users/me', { token })
const factors = async (token: string) => expectOk(await app.api('GET', '/users/me/second-factor', { token })).body

async function aPerson(): Promise<Person> {
  const { ownerEmail: email, token } = await anAccount(app)
  return { email, token }
}

/** A person with an authenticator app: its secret, and the recovery codes. */
async function withApp() {
  const person = await aPerson()
  const { body } = expectOk(await post('/users/me/totp', undefined, person.token))
  const code = totpCode(body.secret, clock.now())
  const added = expectOk(await app.api('PUT', '/users/me/totp', { token: person.token, body: { code } }))
  clock.advance(STEP)
  const secret: string = body.secret
  return { ...person, secret, recoveryCodes: added.body.recoveryCodes as string[], code: () => nextCode(secret) }
}

/** A code of a step that has not been used. */
function nextCode(secret: string) {
  clock.advance(STEP)
  return totpCode(secret, clock.now())
}

const optionsOf = async (path = '/auth/passkeys/options', token?: string) =>
  expectOk(await post(path, undefined, token)).body

async function addPasskey(token: string, odd: object = {}) {
  const key = new Authenticator(ORIGIN)
  const { challenge } = await optionsOf('/users/me/passkeys/options', token)
  const added = await post('/users/me/passkeys', { name: 'Laptop', credential: key.create(challenge, odd) }, token)
  return { key, added }
}

async function withPasskey() {
  const person = await aPerson()
  const { key, added } = await addPasskey(person.token)
  return {
    ...person,
    key,
    recoveryCodes: expectOk(added).body.recoveryCodes as string[],
    id: added.body.passkey.id as string,
  }
}

const byPasskey = async (key: Authenticator, odd: object = {}) => {
  const { challenge } = await optionsOf()
  return post('/auth/sign-in/passkey', { credential: key.get(challenge, odd) })
}

test('an app is added by a code of its secret, after which a password needs one and other sessions are over', async () => {
  const { email, token } = await aPerson()
  const other = expectOk(await signIn(email)).body.accessToken
  const tokenOfAssistant = expectOk(await post('/users/me/tokens', { name: 'Assistant' }, token)).body.id
  assert.deepEqual((await me(token)).body.secondFactor, 'off')
  assert.equal(
    reasonOf(await app.api('PUT', '/users/me/totp', { token, body: { code: '123456' } })),
    '409 totp_not_started',
  )
  const { secret, uri } = expectOk(await post('/users/me/totp', undefined, token)).body
  assert.match(uri, /^otpauth:\/\/totp\/Tributary.*partners\.example\.com.*secret=/)
  assert.equal(reasonOf(await app.api('PUT', '/users/me/totp', { token, body: { code: '12345' } })), '401 code_wrong')
  assert.equal(reasonOf(await signIn(email)), 200, 'a secret not yet proved changes nothing')

  const { body } = expectOk(
    await app.api('PUT', '/users/me/totp', { token, body: { code: totpCode(secret, clock.now()) } }),
  )
  assert.equal(body.recoveryCodes.length, 10)
  assert.match(body.recoveryCodes[0], /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  assert.deepEqual((await me(token)).body.secondFactor, 'on')
  assert.equal((await me(other)).status, 401)
  assert.equal((await app.api('DELETE', `/users/me/tokens/${tokenOfAssistant}`, { token })).status, 404)
  const missing = await signIn(email)
  assert.deepEqual(
    [reasonOf(missing), missing.body.error.details],
    ['401 second_factor_required', { methods: ['totp', 'recovery-code'] }],
  )
  assert.match((await findSavedMail(app, 'second-factor-changed', email)).subject, /authenticator app was added/)
})

test('a code counts once, for a step early or late, and never for another person', async () => {
  const person = await withApp()
  const other = await withApp()
  const code = person.code()
  const sessions = await Promise.all(Array.from({ length: 20 }, () => signIn(person.email, { code })))
  assert.equal(sessions.filter(({ status }) => status === 200).length, 1)
  assert.equal(reasonOf(await signIn(person.email, { code })), '401 code_wrong')
  assert.equal(reasonOf(await signIn(person.email, { code: other.code() })), '401 code_wrong')

  clock.advance(10 * STEP)
  const early = totpCode(person.secret, new Date(clock.now().getTime() + STEP))
  assert.equal(reasonOf(await signIn(person.email, { code: early })), 200)
  const present = totpCode(person.secret, clock.now())
  assert.equal(
    reasonOf(await signIn(person.email, { code: present })),
    '401 code_wrong',
    'an earlier step, after a later one',
  )
  clock.advance(10 * STEP)
  const late = totpCode(person.secret, new Date(clock.now().getTime() - 2 * STEP))
  assert.equal(reasonOf(await signIn(person.email, { code: late })), '401 code_wrong')
})

test('a recovery code stands in once, however it is typed, and is no fresh proof', async () => {
  const { email, token, recoveryCodes, secret } = await withApp()
  const typed = recoveryCodes[0]!.toLowerCase().replaceAll('-', ' ')
  const tries = await Promise.all(Array.from({ length: 10 }, () => signIn(email, { code: typed })))
  const entered = tries.filter(({ status }) => status === 200)
  assert.equal(entered.length, 1)
  const session = entered[0]!.body.accessToken
  assert.equal((await factors(session)).recoveryCodesLeft, 9)
  assert.match((await findSavedMail(app, 'recovery-code-used', email)).text, /9 codes left/)
  const refused = await post('/users/me/recovery-codes', undefined, session)
  assert.equal(reasonOf(refused), '403 password_first')
  assert.equal(reasonOf(await confirm(session, { code: recoveryCodes[1]! })), '401 code_wrong')
  assert.equal((await factors(session)).recoveryCodesLeft, 9, 'not used up')
  const password = await confirm(session, { password: PASSWORD })
  assert.equal(reasonOf(password), '401 second_factor_required')
  assert.equal(reasonOf(await confirm(session, { code: nextCode(secret) })), 204)

  const { recoveryCodes: renewed } = expectOk(await post('/users/me/recovery-codes', undefined, session)).body
  assert.equal(reasonOf(await signIn(email, { code: recoveryCodes[2]! })), '401 code_wrong')
  assert.equal(reasonOf(await signIn(email, { code: renewed[0] })), 200)
  assert.equal((await me(token)).status, 200)
})

test('links need the code too, and a refusal uses nothing up', async () => {
  const { email, secret } = await withApp()
  await app.services.db.run`update users set verified_at = now() where email = ${email}`
  expectOk(await post('/auth/reset-password', { email }))
  await findSavedMail(app, 'password-reset', email)
  const { id } = await app.services.db.one<{ id: string }>`
    select r.id from password_resets r join users u on u.id = r.user_id where u.email = ${email}`
  const token = signInToken(app.services.secrets, id)
  const byLink = (more: object = {}) => post('/auth/sign-in/link', { token, ...more })
  assert.equal(reasonOf(await byLink()), '401 second_factor_required')
  assert.equal(reasonOf(await byLink({ code: '000000' })), '401 code_wrong')
  const { accessToken } = expectOk(await byLink({ code: nextCode(secret) })).body
  assert.deepEqual((await me(accessToken)).body.secondFactor, 'on')
  assert.equal(reasonOf(await post('/users/me/recovery-codes', undefined, accessToken)), '403 password_first')
  assert.equal(reasonOf(await byLink({ code: nextCode(secret) })), '401 link_expired')

  const reset = resetToken(app.services.secrets, id)
  const change = (more: object = {}) =>
    post('/auth/change-password', { password: 'brass-willow-compass-17', ...more }, reset)
  assert.equal(reasonOf(await change()), '401 second_factor_required')
  assert.equal(reasonOf(await change({ code: nextCode(secret) })), 200)
  assert.equal(reasonOf(await signIn(email, { code: nextCode(secret) })), '401 wrong_email_or_password')
})

test('a passkey is a whole sign-in and fresh proof; every flaw of its answer is refused alike', async () => {
  const { email, key, token, id } = await withPasskey()
  assert.deepEqual(
    (await factors(token)).passkeys.map(({ name }: { name: string }) => name),
    ['Laptop'],
  )
  const session = expectOk(await byPasskey(key)).body.accessToken
  assert.deepEqual((await me(session)).body.secondFactor, 'on')
  const { items } = expectOk(await app.api('GET', '/users/me/sessions', { token: session })).body
  assert.deepEqual([items[0].method, items[0].secondFactor], ['passkey', true])
  const alone = await signIn(email)
  assert.deepEqual(
    [reasonOf(alone), alone.body.error.details.methods],
    ['401 passkey_required', ['recovery-code', 'passkey']],
  )

  clock.advance(11 * 60_000)
  assert.equal(reasonOf(await post('/users/me/recovery-codes', undefined, session)), '403 password_first')
  const { challenge } = await optionsOf()
  const assertion = key.get(challenge)
  assert.equal(reasonOf(await confirm(session, { passkey: assertion })), 204)
  assert.equal(reasonOf(await post('/users/me/recovery-codes', undefined, session)), 200)

  const odd = [
    { userVerified: false },
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { counter: 1 },
    { type: 'webauthn.create' },
  ]
  for (const flaw of odd) assert.equal(reasonOf(await byPasskey(key, flaw)), '401 passkey_wrong', JSON.stringify(flaw))
  assert.equal(reasonOf(await byPasskey(new Authenticator(ORIGIN))), '401 passkey_wrong')
  assert.equal(
    reasonOf(await post('/auth/sign-in/passkey', { credential: assertion })),
    '401 passkey_wrong',
    'a challenge counts once',
  )
  const late = await optionsOf()
  clock.advance(5 * 60_000 + 1)
  assert.equal(
    reasonOf(await post('/auth/sign-in/passkey', { credential: key.get(late.challenge) })),
    '401 passkey_wrong',
  )
  const other = await aPerson()
  const { challenge: theirs } = await optionsOf('/users/me/passkeys/options', other.token)
  assert.equal(
    reasonOf(await post('/auth/sign-in/passkey', { credential: key.get(theirs) })),
    '401 passkey_wrong',
    'another purpose',
  )
  const mine = await optionsOf()
  assert.equal(
    reasonOf(await confirm(other.token, { passkey: key.get(mine.challenge) })),
    '401 passkey_wrong',
    'another person',
  )

  const again = await signIn(email, {})
  assert.equal(again.status, 401)
  const fresh = expectOk(await byPasskey(key)).body.accessToken
  assert.equal(reasonOf(await app.api('DELETE', `/users/me/passkeys/${id}`, { token: other.token })), '404 not_found')
  assert.equal(reasonOf(await app.api('DELETE', `/users/me/passkeys/${id}`, { token: fresh })), 204)
  assert.equal((await me(session)).status, 401)
  assert.deepEqual([(await me(fresh)).body.secondFactor, (await factors(fresh)).recoveryCodesLeft], ['off', 0])
  assert.equal(reasonOf(await byPasskey(key)), '401 passkey_wrong')
  assert.equal(reasonOf(await signIn(email)), 200)
})

test('a passkey is made for a challenge of its user, once, at most ten times', async () => {
  const { token, key } = await withPasskey()
  const { challenge } = await optionsOf('/users/me/passkeys/options', token)
  const add = (credential: object) => post('/users/me/passkeys', { name: 'Phone', credential }, token)
  assert.equal(reasonOf(await add(key.create(challenge))), '409 passkey_known')
  assert.equal(reasonOf(await add(new Authenticator(ORIGIN).create(challenge))), '401 passkey_wrong')
  const { challenge: open } = await optionsOf()
  assert.equal(reasonOf(await add(new Authenticator(ORIGIN).create(open))), '401 passkey_wrong')
  assert.equal(reasonOf((await addPasskey(token, { userVerified: false })).added), '401 passkey_wrong')
  for (let n = 2; n <= 10; n += 1) assert.equal(reasonOf((await addPasskey(token)).added), 201)
  assert.equal(reasonOf(await post('/users/me/passkeys/options', undefined, token)), '409 too_many_passkeys')
})

test('a new passkey that proves its maker is refused before any certificate is read, and nothing is called', async () => {
  const receiver = await fakeReceiver()
  after(() => receiver.close())
  const { token } = await aPerson()
  const attestation = androidKeyRevokedAt(`${receiver.url}/latest/meta-data/`)
  const { added } = await addPasskey(token, { attestation })
  assert.deepEqual(receiver.calls, [])
  assert.equal(reasonOf(added), '422 passkey_attested')
  assert.equal(reasonOf((await addPasskey(token, { attestation: packed })).added), '422 passkey_attested')
  assert.deepEqual((await factors(token)).passkeys, [])
})

test('a new passkey’s answer is taken in any order of its parts; every other form is refused alike', async () => {
  const { token } = await aPerson()
  type Made = { authData: Buffer }
  const turned = ({ authData }: Made) =>
    encodeCbor(new Map(Object.entries({ authData, attStmt: new Map(), fmt: 'none' })))
  assert.equal(reasonOf((await addPasskey(token, { attestation: turned })).added), 201)

  const [NONE, EMPTY] = [encodeCbor('none'), encodeCbor(new Map())]
  const entries = (...parts: [string, Buffer][]) =>
    Buffer.concat(parts.flatMap(([key, value]) => [encodeCbor(key), value]))
  const mapOf = (count: number, ...parts: [string, Buffer][]) =>
    Buffer.concat([Buffer.from([0xa0 + count]), entries(...parts)])
  const deep = Buffer.concat([Buffer.alloc(9000, 0x81), Buffer.from([0])])
  const whole = ({ authData }: Made): [string, Buffer][] => [
    ['fmt', NONE],
    ['attStmt', EMPTY],
    ['authData', encodeCbor(authData)],
  ]
  const flaws: ((made: Made) => Buffer)[] = [
    () => Buffer.from([0xa3]),
    () => deep,
    () => Buffer.from('not cbor at all'),
    (made) => mapOf(3, ...whole(made)).subarray(0, -1),
    (made) => Buffer.concat([mapOf(3, ...whole(made)), Buffer.from([0])]),
    (made) => mapOf(4, ...whole(made), ['fmt', encodeCbor('android-key')]),
    (made) => mapOf(3, ['fmt', NONE], ['fmt', NONE], ['authData', encodeCbor(made.authData)]),
    (made) => mapOf(2, ...whole(made).slice(1)),
    (made) => Buffer.concat([Buffer.from([0xbf]), entries(...whole(made)), Buffer.from([0xff])]),
    (made) => mapOf(3, ['fmt', encodeCbor(7)], ...whole(made).slice(1)),
    () => mapOf(3, ['fmt', NONE], ['attStmt', EMPTY], ['authData', Buffer.from([0x5a, 255, 255, 255, 255])]),
    ({ authData }) => mapOf(3, ...whole({ authData: Buffer.concat([authData.subarray(0, 71), deep]) })),
  ]
  for (const [at, attestation] of flaws.entries())
    assert.equal(reasonOf((await addPasskey(token, { attestation })).added), '401 passkey_wrong', `flaw ${at}`)
})

test('without a host name and https there are no passkeys, and another host offers none', async () => {
  const plain = await startApp({ clock, db: app.services.db, config: { secretKey: app.services.config.secretKey } })
  assert.equal(reasonOf(await plain.api('POST', '/auth/passkeys/options')), '409 passkeys_unavailable')
  assert.deepEqual((await app.api('GET', '/auth/methods')).body, { passkeys: false, oidc: null, ownDomain: false })
})

test('ten wrong codes an hour are checked over all networks', async () => {
  const config = {
    appUrl: ORIGIN,
    secretKey: app.services.config.secretKey,
    rateLimitFactor: 1,
    trustProxy: ['127.0.0.1'],
  }
  const limited = await startApp({ clock, db: app.services.db, config })
  const { email, secret } = await withApp()
  const from = (n: number, code: string) =>
    limited.api('POST', '/auth/sign-in', {
      body: { email, password: PASSWORD, code },
      headers: { 'x-forwarded-for': `198.51.${n}.7` },
    })
  for (let n = 0; n < 10; n += 1) assert.equal(reasonOf(await from(n, '000000')), '401 code_wrong')
  const beyond = await from(50, nextCode(secret))
  assert.equal(reasonOf(beyond), '429 too_many_attempts')
  assert.ok(beyond.body.error.values.seconds > 3000)
  clock.advance(3_600_001)
  assert.equal(reasonOf(await from(51, nextCode(secret))), 200)
})

test('who lost everything is let in again by the server’s operator', async () => {
  const { email, token } = await withApp()
  await addPasskey(token)
  assert.equal(await resetFactors(app.services.db, app.services, email), true)
  assert.equal(await resetFactors(app.services.db, app.services, email), false)
  assert.equal(await resetFactors(app.services.db, app.services, 'unknown@nowhere.example'), undefined)
  assert.equal((await me(token)).status, 401)
  assert.equal(reasonOf(await signIn(email)), 200)
  assert.match((await findSavedMail(app, 'second-factor-changed', email, /removed your/)).subject, /was reset/)
})

test('an account may require a second factor of its team, and of its partners', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account, {}, { signIn: true })
  const demand = (requireSecondFactor: string, token = account.token) =>
    app.api('PATCH', `/accounts/${account.id}`, { token, body: { requireSecondFactor } })
  assert.equal(reasonOf(await demand('team')), '409 own_factor_first')
  const { secret } = expectOk(await post('/users/me/totp', undefined, account.token)).body
  expectOk(
    await app.api('PUT', '/users/me/totp', { token: account.token, body: { code: totpCode(secret, clock.now()) } }),
  )
  const { body } = expectOk(
    await post(`/accounts/${account.id}/members`, { email: anEmail('viewer'), role: 'viewer' }, account.token),
  )
  const viewer = await acceptInvitation(app, body.url)
  const { userId: viewerId } = body
  const other = await anAccount(app)
  const opens = async (token: string, path: string) => reasonOf(await app.api('GET', path, { token }))

  const { key } = expectOk(
    await post(`/accounts/${account.id}/api-keys`, { name: 'Reports', rights: ['read'] }, account.token),
  ).body
  expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token }))
  clock.advance(11 * 60_000)
  assert.equal(reasonOf(await demand('team')), '403 requiring_second_factor')
  expectOk(await confirm(account.token, { code: nextCode(secret) }))
  expectOk(await demand('team'))
  const list = `/accounts/${account.id}/leads`
  assert.equal(await opens(viewer.token, list), '403 second_factor_missing')
  assert.equal(await opens(viewer.token, `/accounts/${account.id}`), 200)
  assert.deepEqual((await me(viewer.token)).body.secondFactor, 'missing')
  assert.equal(await opens(partner.token, `/partners/${partner.id}`), 200)
  assert.equal(await opens(account.token, list), 200)
  assert.equal(await opens(other.token, `/accounts/${other.id}/leads`), 200)
  assert.equal(await opens(key, list), 200, 'a key has no sessions')

  // an owner without one reads the account without its key
  expectOk(
    await app.api('PUT', `/accounts/${account.id}/members/${viewerId}`, {
      token: account.token,
      body: { role: 'owner' },
    }),
  )
  const { body: seen } = expectOk(await app.api('GET', `/accounts/${account.id}`, { token: viewer.token }))
  assert.deepEqual([seen.name, seen.requireSecondFactor, seen.apiKey], ['Northwind', 'team', null])
  assert.ok(expectOk(await app.api('GET', `/accounts/${account.id}`, { token: account.token })).body.apiKey)

  expectOk(await demand('everyone'))
  assert.equal(await opens(partner.token, `/partners/${partner.id}`), '403 second_factor_missing')
  expectOk(await confirm(viewer.token, { password: PASSWORD }))
  const theirs = expectOk(await post('/users/me/totp', undefined, viewer.token)).body.secret
  expectOk(
    await app.api('PUT', '/users/me/totp', { token: viewer.token, body: { code: totpCode(theirs, clock.now()) } }),
  )
  assert.equal(await opens(viewer.token, list), 200)
  const members = expectOk(await app.api('GET', `/accounts/${account.id}/members`, { token: account.token })).body.items
  assert.deepEqual(
    members.map(({ secondFactor }: { secondFactor: boolean }) => secondFactor),
    [true, true],
  )
  const last = await app.api('DELETE', '/users/me/totp', { token: viewer.token })
  assert.equal(reasonOf(last), '409 second_factor_required_here')
  assert.equal((await factors(viewer.token)).requiredBy.length, 1)
})

test('an install may require a second factor of administrators', async () => {
  const config = { secretKey: app.services.config.secretKey, requireSecondFactor: 'admins' as const }
  const strict = await startApp({ clock, db: app.services.db, config })
  const token = await getAdministratorToken(strict)
  assert.equal(reasonOf(await strict.api('GET', '/accounts', { token })), '403 second_factor_missing')
  assert.equal(reasonOf(await strict.api('GET', '/users/me', { token })), 200)
  const { email, token: owner } = await aPerson()
  assert.ok(email)
  assert.equal((await strict.api('GET', '/users/me', { token: owner })).body.secondFactor, 'off')
})
