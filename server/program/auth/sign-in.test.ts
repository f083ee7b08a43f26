import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import {
  ADMINISTRATOR,
  expectOk,
  getAdministratorToken,
  type Reply,
  startApp,
  type TestApp,
  turnableClock,
} from '../../../test/support/app.ts'
import { Refusal } from '../../platform/refusal.ts'
import { retention } from '../../retention.ts'
import { signIn } from './sign-in.ts'
import { beginAttempt } from './sign-in-attempts.ts'

const clock = turnableClock()
/** Outweighs the rest of a sign-in, at a fortieth of the default cost. */
const passwordCost = { memoryKib: 8192, passes: 1 }
const config = { rateLimitFactor: 1, trustProxy: ['127.0.0.1'], secretKey: randomBytes(32), passwordCost }
const app = await startApp({ clock, config })
const token = await getAdministratorToken(app)

const from = (address: string) => ({ 'x-forwarded-for': address })
const tryAt = (
  address: string,
  body = { email: ADMINISTRATOR.email, password: 'not-the-password' },
  on: TestApp = app,
) => on.api('POST', '/auth/sign-in', { body, headers: from(address) })

const HOUR = 3_600_000
/** Failures of earlier tests no longer count, and comparing passwords takes no time, however busy the machine is. */
beforeEach(() => {
  clock.advance(HOUR + 1)
  clock.stop()
})

test('the refusal is the same for a wrong password and an unknown e-mail', async () => {
  const wrong = await tryAt('198.51.100.1')
  const unknown = await tryAt('198.51.100.1', { email: 'nobody@install.example', password: 'not-the-password' })
  assert.equal(wrong.status, 401)
  assert.deepEqual(wrong.body.error, {
    code: 'invalid_credentials',
    reason: 'wrong_email_or_password',
    message: 'Email or password is incorrect.',
  })
  assert.deepEqual([unknown.status, unknown.body.error], [wrong.status, wrong.body.error])
})

test('an unknown e-mail takes as long as a known one', async () => {
  const free = { ...app.services, config: { ...app.services.config, rateLimitFactor: 0 } }
  const workOf = async (email: string) => {
    const before = process.cpuUsage()
    await assert.rejects(signIn(free.db, free, { email, password: 'x' }, { address: '192.0.2.1', userAgent: null }))
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const known: number[] = []
  const unknown: number[] = []
  // other work on the machine only adds to a turn, so more turns bring both closer to their least
  const ratio = () => Math.min(...unknown) / Math.min(...known)
  const isAlike = () => ratio() > 0.9 && ratio() < 1.1
  for (let turn = 0; turn < 11 || (turn < 80 && !isAlike()); turn++) {
    known.push(await workOf(ADMINISTRATOR.email))
    unknown.push(await workOf('nobody@install.example'))
  }
  assert.ok(isAlike(), `unknown / known = ${ratio()}`)
})

test('after five failures each further attempt waits 1, 2, 4 … 60 s, and a success resets the count', async () => {
  const address = '198.51.100.2'
  for (let failure = 1; failure <= 5; failure++) assert.equal((await tryAt(address)).status, 401)
  const blocked = await tryAt(address, ADMINISTRATOR)
  assert.equal(blocked.status, 429)
  assert.equal(blocked.headers.get('retry-after'), '1')
  assert.equal(blocked.body.error.message, 'Too many attempts. Try again in 1 seconds.')
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    const device = { address, userAgent: null }
    clock.advance(seconds * 1000)
    const wrong = { email: ADMINISTRATOR.email, password: 'no' }
    await assert.rejects(signIn(app.services.db, app.services, wrong, device), { code: 'invalid_credentials' })
    const next = Math.min(60, seconds * 2)
    await assert.rejects(
      signIn(app.services.db, app.services, wrong, device),
      (error) => error instanceof Refusal && error.code === 'rate_limited' && error.retryAfter === next,
    )
  }
  clock.advance(60_000)
  assert.equal((await tryAt(address, ADMINISTRATOR)).status, 200)
  assert.equal((await tryAt(address)).status, 401)
  assert.equal((await tryAt(address, ADMINISTRATOR)).status, 200)
})

test('a slowed-down network does not slow down the same person elsewhere', async () => {
  for (let failure = 1; failure <= 5; failure++) await tryAt('198.51.100.3')
  assert.equal((await tryAt('198.51.100.3')).status, 429)
  assert.equal((await tryAt('198.51.100.4', ADMINISTRATOR)).status, 200)
})

test('all addresses of an IPv6 network count as one', async () => {
  for (let failure = 1; failure <= 5; failure++) await tryAt(`2001:db8:1:2::${failure}`)
  assert.equal((await tryAt('2001:db8:1:2:ffff::9')).status, 429)
  assert.equal((await tryAt('2001:db8:1:3::1')).status, 401)
})

test('concurrent attempts each count', async () => {
  const replies = await Promise.all(Array.from({ length: 9 }, () => tryAt('198.51.100.5')))
  assert.equal(replies.filter(({ status }) => status === 401).length, 5)
  assert.equal(replies.filter(({ status }) => status === 429).length, 4)
})

test('the counters survive a restart and are shared by all processes', async () => {
  for (let failure = 1; failure <= 5; failure++) await tryAt('198.51.100.6')
  const second = await startApp({ clock, config, db: app.services.db })
  const blocked = await tryAt('198.51.100.6', ADMINISTRATOR, second)
  assert.equal(blocked.status, 429)
  assert.match(blocked.body.error.message, /^Too many attempts/)
  await second.close()
})

const waitsAMinute = (attempt: Promise<unknown>) =>
  assert.rejects(
    attempt,
    (error) => error instanceof Refusal && error.code === 'rate_limited' && error.retryAfter! <= 60,
  )

test('after a network’s 100 failures in an hour, for any users, one attempt a minute is checked', async () => {
  const address = '198.51.100.7'
  const begin = (email: string) => beginAttempt(app.services.db, app.services, { email: `${email}@x.example`, address })
  for (let index = 0; index < 100; index++) await begin(`${index}`)
  await waitsAMinute(begin('one-more'))
  clock.advance(60_000)
  await begin('one-more')
  await waitsAMinute(begin('another'))
  clock.advance(HOUR)
  await begin('another')
})

test('after 20 failures for an e-mail from new networks, one attempt a minute is checked; known networks stay open', async () => {
  const { email } = ADMINISTRATOR
  assert.equal((await tryAt('203.0.113.50', ADMINISTRATOR)).status, 200)
  const begin = (address: string) => beginAttempt(app.services.db, app.services, { email, address })
  for (let index = 0; index < 20; index++) await begin(`192.0.2.${index}`)
  for (let index = 20; index < 30; index++) await waitsAMinute(begin(`192.0.2.${index}`))
  clock.advance(60_000)
  await begin('192.0.2.30')
  await waitsAMinute(begin('192.0.2.31'))
  assert.equal((await tryAt('203.0.113.50', ADMINISTRATOR)).status, 200)
  clock.advance(60_000)
  assert.equal((await tryAt('192.0.2.32', ADMINISTRATOR)).status, 200)
})

test('a factor of 0 disables the slow-down', async () => {
  const free = await startApp({ clock, config: { ...config, rateLimitFactor: 0 }, db: app.services.db })
  for (let failure = 1; failure <= 12; failure++)
    assert.equal((await tryAt('198.51.100.8', undefined, free)).status, 401)
  await free.close()
})

test('confirming the password keeps the session fresh for 10 minutes; wrong guesses count', async () => {
  const { body } = expectOk(await tryAt('198.51.100.9', ADMINISTRATOR))
  const confirm = (password: string) =>
    app.api('POST', '/auth/confirm', { token: body.accessToken, body: { password }, headers: from('198.51.100.9') })
  const confirmedAt = async () =>
    (
      await app.services.db.one<{ confirmedAt: string }>`
        select confirmed_at from sessions order by confirmed_at desc limit 1`
    ).confirmedAt
  const before = await confirmedAt()
  clock.advance(60_000)
  const wrong = await confirm('not-the-password')
  assert.deepEqual([wrong.status, wrong.body.error.code], [401, 'invalid_credentials'])
  assert.equal(await confirmedAt(), before)
  assert.equal((await confirm(ADMINISTRATOR.password)).status, 204)
  assert.ok((await confirmedAt()) > before)
  for (let failure = 1; failure <= 5; failure++) assert.equal((await confirm('no')).status, 401)
  assert.equal((await confirm(ADMINISTRATOR.password)).status, 429)
})

test('sign-ins are audited with network and call; refusals are stored separately for 90 days; no counter reveals an e-mail', async () => {
  const { signedIn, refused } = await app.services.db.one<{ signedIn: number; refused: number }>`
    select count(*) filter (where action = 'sign-in') as signed_in, count(*) filter (where action like '%.refused') as refused
    from audit`
  assert.ok(signedIn > 0 && refused === 0)
  const { db } = app.services
  const good = await tryAt('203.0.113.77', ADMINISTRATOR)
  const bad = await tryAt('2001:db8:1:2::7')
  const requestIdOf = (reply: Reply) => reply.headers.get('x-request-id')
  const row = await db.one`select action, network, request_id from audit order by at desc, id desc limit 1`
  assert.deepEqual(row, { action: 'sign-in', network: '203.0.113.0/24', requestId: requestIdOf(good) })
  const failure = await db.one`select kind, network, request_id from refused_sign_ins order by at desc, id desc limit 1`
  assert.deepEqual(failure, { kind: 'sign-in', network: '2001:db8:1::/48', requestId: requestIdOf(bad) })
  clock.advance(91 * 24 * HOUR)
  await retention.refusedSignIns(app.services)
  assert.equal((await db.one<{ count: number }>`select count(*) as count from refused_sign_ins`).count, 0)
  const { leaks } = await app.services.db.one<{ leaks: number }>`
    select count(*) as leaks from sign_in_attempts where key like '%@%'`
  assert.equal(leaks, 0)
  assert.equal((await app.api('GET', '/users/me', { token })).status, 401)
})
