import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  ADMINISTRATOR,
  acceptInvitation,
  anEmail,
  expectOk,
  getAdministratorToken,
  PASSWORD,
  type Reply,
  signIn,
  startApp,
  turnableClock,
} from '../../../../test/support/app.ts'
import { Authenticator, totpCode } from '../../../../test/support/authenticator.ts'
import { freeSteps, playHistory } from '../../../../test/support/histories.ts'
import { listSeeds, type Random } from '../../../../test/support/model-test.ts'
import { resetFactors } from './factors.ts'

// Lives of one person's factors: added, removed, used, lost and reset, in several sessions, beside a plain model.

const ORIGIN = 'https://partners.example.com'
const clock = turnableClock('2026-11-26T09:00:00Z')
const app = await startApp({ clock, config: { appUrl: ORIGIN, secretKey: randomBytes(32) } })
await getAdministratorToken(app)
const TEN_MINUTES = 600_000
const STEP = 30_000

type Session = { token: string; factor: boolean; freshAt: number | null; begunAt: number }
type Model = {
  email: string
  secret: string | null
  lastStep: number
  passkeys: Map<string, Authenticator>
  codes: string[]
  spent: string[]
  sessions: Session[]
}

const has = ({ secret, passkeys }: Model) => secret !== null || passkeys.size > 0
const stepAt = (ms: number) => Math.floor(ms / STEP)
const reasonOf = ({ status, body }: Reply) => (status < 300 ? 'ok' : body.error.reason)

async function aPerson(): Promise<Model> {
  const { token: admin } = await signIn(app, ADMINISTRATOR.email, ADMINISTRATOR.password)
  const owner = { email: anEmail('life') }
  const { body } = expectOk(await app.api('POST', '/accounts', { token: admin, body: { owner } }))
  const { token } = await acceptInvitation(app, body.ownerInvitation.url)
  const now = clock.now().getTime()
  const sessions = [{ token, factor: false, freshAt: now, begunAt: now }]
  return { email: owner.email, secret: null, lastStep: 0, passkeys: new Map(), codes: [], spent: [], sessions }
}

/** How often each is drawn. */
const weights = {
  ...{ password: 2, code: 2, 'old code': 1, recovery: 1, spent: 1, passkey: 1, 'add app': 2, 'remove app': 1 },
  ...{ 'add passkey': 2, 'remove passkey': 1, renew: 1, confirm: 2, reset: 1, wait: 1 },
}
type Act = keyof typeof weights

const stepOf = (act: Act) => async (model: Model, random: Random) => {
  clock.advance(random.pick([1000, STEP, 2 * STEP]))
  if (act === 'wait') clock.advance(TEN_MINUTES)
  endOld(model)
  const outcome = await perform(model, act, random)
  if (outcome) assert.equal(outcome.got, outcome.expected)
}
const steps = freeSteps<Model>(
  Object.fromEntries((Object.keys(weights) as Act[]).map((act) => [act, stepOf(act)] as const)),
)

type Outcome = { got: string; expected: string } | undefined

async function perform(model: Model, act: Act, random: Random): Promise<Outcome> {
  const now = clock.now().getTime()
  const enter = async (code: string | undefined, expected: string, fresh: boolean) => {
    const body = { email: model.email, password: PASSWORD, ...(code !== undefined && { code }) }
    const reply = await app.api('POST', '/auth/sign-in', { body })
    if (reply.status === 200) begin(model, reply.body.accessToken, has(model), fresh ? now : null)
    return { got: reasonOf(reply), expected }
  }
  const missing = model.secret ? 'second_factor_required' : 'passkey_required'
  if (act === 'password') return enter(undefined, has(model) ? missing : 'ok', true)
  if (act === 'code' || act === 'old code') {
    if (!model.secret) return enter('123456', has(model) ? 'code_wrong' : 'ok', true)
    const step = stepAt(now) + (act === 'code' ? random.between(-1, 1) : random.pick([-3, 3]))
    const right = act === 'code' && step > model.lastStep
    if (right) model.lastStep = step
    return enter(totpCode(model.secret, new Date(step * STEP)), right ? 'ok' : 'code_wrong', true)
  }
  if (act === 'recovery' || act === 'spent') {
    const code = act === 'recovery' ? model.codes.shift() : random.pick(model.spent)
    if (!code) return undefined
    if (act === 'recovery') model.spent.push(code)
    // without a factor no code is needed, and none is used up
    return enter(code, !has(model) || act === 'recovery' ? 'ok' : 'code_wrong', !has(model))
  }
  if (act === 'passkey') {
    const key = model.passkeys.size > 0 ? random.pick([...model.passkeys.values()]) : new Authenticator(ORIGIN)
    const { challenge } = expectOk(await app.api('POST', '/auth/passkeys/options')).body
    const reply = await app.api('POST', '/auth/sign-in/passkey', { body: { credential: key.get(challenge) } })
    if (reply.status === 200) begin(model, reply.body.accessToken, true, now)
    return { got: reasonOf(reply), expected: model.passkeys.size > 0 ? 'ok' : 'passkey_wrong' }
  }
  if (act === 'reset') {
    const hadOne = await resetFactors(app.services.db, app.services, model.email)
    const expected = has(model)
    if (expected) removeFactors(model, null)
    return { got: String(hadOne), expected: String(expected) }
  }
  if (act === 'wait' || model.sessions.length === 0) return undefined
  return inSession(model, random.pick(model.sessions), act, random)
}

async function inSession(model: Model, session: Session, act: string, random: Random): Promise<Outcome> {
  const now = clock.now().getTime()
  const { token } = session
  const call = (method: string, path: string, body?: object) => app.api(method, path, { token, body })
  const fresh = session.freshAt !== null && now - session.freshAt <= TEN_MINUTES
  const expect = (otherwise: string) => (fresh ? otherwise : 'password_first')
  const had = has(model)
  if (act === 'confirm') {
    const step = stepAt(now)
    const byCode = model.secret !== null && random.chance(70)
    const proof = byCode ? { code: totpCode(model.secret!, clock.now()) } : { password: PASSWORD }
    const right = byCode ? step > model.lastStep : !had
    if (byCode && right) model.lastStep = step
    if (right) session.freshAt = now
    const required = model.secret ? 'second_factor_required' : 'passkey_required'
    return {
      got: reasonOf(await call('POST', '/auth/confirm', proof)),
      expected: right ? 'ok' : byCode ? 'code_wrong' : required,
    }
  }
  if (act === 'add app') {
    const begun = await call('POST', '/users/me/totp')
    if (begun.status !== 200) return { got: reasonOf(begun), expected: expect('ok') }
    const secret: string = begun.body.secret
    const wrong = random.chance(20)
    const code = totpCode(secret, new Date(now + (wrong ? 5 * STEP : 0)))
    const added = await call('PUT', '/users/me/totp', { code })
    if (added.status === 200) {
      Object.assign(model, { secret, lastStep: stepAt(now) })
      afterFirst(model, session, had, added.body.recoveryCodes)
    }
    return { got: reasonOf(added), expected: expect(wrong ? 'code_wrong' : 'ok') }
  }
  if (act === 'add passkey') {
    const options = await call('POST', '/users/me/passkeys/options')
    if (options.status !== 200) return { got: reasonOf(options), expected: expect('ok') }
    const key = new Authenticator(ORIGIN)
    const added = await call('POST', '/users/me/passkeys', {
      name: 'Key',
      credential: key.create(options.body.challenge),
    })
    if (added.status === 201) {
      model.passkeys.set(added.body.passkey.id, key)
      afterFirst(model, session, had, added.body.recoveryCodes)
    }
    return { got: reasonOf(added), expected: expect('ok') }
  }
  if (act === 'remove app') {
    const gone = await call('DELETE', '/users/me/totp')
    const expected = expect(model.secret ? 'ok' : 'not_found')
    if (gone.status === 204) model.secret = null
    if (gone.status === 204 && !has(model)) removeFactors(model, session)
    return { got: reasonOf(gone), expected }
  }
  if (act === 'remove passkey') {
    const [id] = model.passkeys.keys()
    if (!id) return undefined
    const gone = await call('DELETE', `/users/me/passkeys/${id}`)
    if (gone.status === 204) model.passkeys.delete(id)
    if (gone.status === 204 && !has(model)) removeFactors(model, session)
    return { got: reasonOf(gone), expected: expect('ok') }
  }
  const renewed = await call('POST', '/users/me/recovery-codes')
  if (renewed.status === 200) {
    model.spent.push(...model.codes)
    model.codes = renewed.body.recoveryCodes
  }
  return { got: reasonOf(renewed), expected: expect(had ? 'ok' : 'second_factor_first') }
}

function begin(model: Model, token: string, factor: boolean, freshAt: number | null) {
  model.sessions.push({ token, factor, freshAt, begunAt: clock.now().getTime() })
}

/** The first factor leaves this session alone, with recovery codes. */
function afterFirst(model: Model, session: Session, had: boolean, codes: string[] | null) {
  assert.equal(codes === null, had)
  if (had) return
  model.codes = codes!
  session.factor = true
  model.sessions = [session]
}

/** The last factor is gone: only this session is left, if any. */
function removeFactors(model: Model, session: Session | null) {
  model.spent.push(...model.codes)
  Object.assign(model, { secret: null, codes: [], passkeys: new Map(), sessions: session ? [session] : [] })
  if (session) session.factor = false
}

/** An access token lasts a quarter of an hour. */
function endOld(model: Model) {
  model.sessions = model.sessions.filter(({ begunAt }) => clock.now().getTime() - begunAt < 15 * 60_000)
}

async function check(model: Model) {
  model.sessions = model.sessions.slice(-20)
  const { count } = await app.services.db.one<{ count: number }>`
    select count(*) as count from sessions s join users u on u.id = s.user_id
    where u.email = ${model.email} and s.ended_at is null and s.access_expires_at > ${clock.now()}`
  assert.equal(count, model.sessions.length)
  for (const { token, factor } of model.sessions.slice(-2)) {
    assert.equal((await app.api('GET', '/users/me', { token })).body.secondFactor, factor ? 'on' : 'off')
    const { body } = await app.api('GET', '/users/me/second-factor', { token })
    assert.deepEqual(
      [body.totp !== null, body.passkeys.length, body.recoveryCodesLeft],
      [model.secret !== null, model.passkeys.size, model.codes.length],
    )
  }
}

test('random lives of a person’s factors are as a plain model has them', async () => {
  clock.stop()
  for (const seed of listSeeds(2)) await playHistory({ begin: aPerson, steps, weights, length: 36, check }, seed)
})
