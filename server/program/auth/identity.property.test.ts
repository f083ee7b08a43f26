import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  anAccount,
  anEmail,
  expectOk,
  getAdministratorToken,
  PASSWORD,
  startApp,
  type TestApp,
  tokenInLink,
  turnableClock,
} from '../../../test/support/app.ts'
import { listSeeds } from '../../../test/support/model-test.ts'
import { newId } from '../../platform/database/ids.ts'
import { makeAdministrator } from './administrators.ts'
import { findInvitation } from './invitation-queries.ts'
import { setUpUrl } from './invitations.ts'
import { answerLinkRequest, resetToken } from './link-requests.ts'

// Random histories of people, accounts and links. Owners use every link they were ever shown, for themselves. Whatever
// happens, the access they get stays inside their own account.

const MINUTE = 60_000
const EVIL = 'crooked-lantern-40-moss'
const clock = turnableClock()
const keeping = await startApp({ clock, config: { secretKey: randomBytes(32) } })
/** An equal install with a mail server: no links are shown. */
const mailing = await startApp({
  clock,
  db: keeping.services.db,
  config: { ...keeping.services.config, secretKey: keeping.services.config.secretKey, smtpUrl: 'smtp://127.0.0.1:9' },
})

function randomOf(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return {
    chance: (share: number) => next() < share,
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)],
  }
}

const aRequest = (email: string) => ({ id: newId(), kind: 'reset' as const, email, network: '192.0.2.1' })

type Names = { firstName: string; lastName: string }
type Program = {
  id: string
  ownerEmail: string
  partners: Map<string, { email: string } & Names>
  /** Every link this owner was ever shown. */
  shown: Set<string>
  /** Access tokens this owner got by such a link. */
  stolen: { email: string; token: string }[]
}

async function liveRandomly(app: TestApp, seed: number, steps: number) {
  const { pick, chance } = randomOf(seed)
  const { services } = app
  const { db } = services
  const emails = Array.from({ length: 4 }, (_, index) => anEmail(`shared-${seed}-${index}`))
  const programs: Program[] = []
  for (let index = 0; index < 3; index++) {
    const { id, ownerEmail } = await anAccount(keeping)
    programs.push({ id, ownerEmail, partners: new Map(), shown: new Set(), stolen: [] })
  }
  /** Accounts whose owner has not accepted yet. */
  const waiting = new Map<string, { email: string } & Names>()
  let count = 0
  const named = (of: string): Names => ({ firstName: `${of}${++count}`, lastName: 'Tern' })

  const get = (path: string, token: string) => app.api('GET', path, { token })
  const send = (method: string, path: string, token: string | null, body?: object) =>
    app.api(method, path, { token, body })
  const tokenFor = async (email: string, password = PASSWORD) => {
    const reply = await send('POST', '/auth/sign-in', null, { email, password })
    return reply.status === 200 ? (reply.body.accessToken as string) : null
  }
  const owners = new Map<string, { token: string; until: number }>()
  const owner = async ({ ownerEmail }: Program) => {
    const known = owners.get(ownerEmail)
    if (known && clock.now().getTime() < known.until) return known.token
    const token = (await tokenFor(ownerEmail))!
    owners.set(ownerEmail, { token, until: clock.now().getTime() + 10 * MINUTE })
    return token
  }
  const rolesWith = async (token: string) => {
    const reply = await get('/users/me', token)
    return reply.status === 200 ? (reply.body.roles as { accountId: string }[]) : []
  }
  /** Returns the newest link of each open invitation in the mailbox. */
  const mailbox = async (email: string) => {
    const ids = await db.many<{ id: string }>`
      select id from invitations where email = ${email} and status not in ('accepted', 'revoked') order by id`
    return Promise.all(ids.map(async ({ id }) => setUpUrl(services, (await findInvitation(db, id))!)))
  }
  const passwords = new Map<string, string>()
  const resetByMail = async (email: string) => {
    await answerLinkRequest(services, aRequest(email))
    const { id } = await db.one<{ id: string }>`
      select r.id from password_resets r join users u on u.id = r.user_id where u.email = ${email}
      order by r.created_at desc, r.id desc limit 1`
    expectOk(await send('POST', '/auth/change-password', resetToken(services.secrets, id), { password: PASSWORD }))
    passwords.set(email, PASSWORD)
  }

  const actions: Record<string, () => Promise<unknown>> = {
    async newAccount() {
      const email = pick(emails)!
      const names = named('owner')
      const { body } = expectOk(
        await send('POST', '/accounts', await getAdministratorToken(app), {
          name: `New ${++count}`,
          owner: { email, ...names },
        }),
      )
      waiting.set(body.id, { email, ...names })
    },
    async newPartner() {
      const program = pick(programs)!
      const person = { email: pick(emails)!, ...named('partner') }
      const reply = await send('POST', `/accounts/${program.id}/partners`, await owner(program), person)
      if (reply.status === 201) program.partners.set(reply.body.id, person)
      else assert.equal(reply.body.error.code, 'duplicate')
    },
    async correctPartner() {
      const program = pick(programs)!
      const [id, person] = pick([...program.partners]) ?? []
      if (!id || !person) return
      const change = chance(0.5) ? { email: pick(emails)! } : named('renamed')
      const reply = await send('PUT', `/partners/${id}`, await owner(program), change)
      if (reply.status === 200) Object.assign(person, change)
      else assert.ok([409, 429].includes(reply.status), JSON.stringify(reply.body))
    },
    async deletePartner() {
      const program = pick(programs)!
      const [id] = pick([...program.partners]) ?? []
      if (!id || !chance(0.3)) return
      expectOk(await send('DELETE', `/partners/${id}`, await owner(program)))
      program.partners.delete(id)
    },
    async retry() {
      const program = pick(programs)!
      const [id] = pick([...program.partners]) ?? []
      clock.advance(61_000)
      if (id) await send('POST', `/partners/${id}/invitation/retries`, await owner(program))
    },
    async askAnonymously() {
      const email = pick(emails)!
      const before = await mailbox(email)
      await answerLinkRequest(services, { ...aRequest(email), kind: pick(['reset', 'set-up'] as const)! })
      assert.deepEqual(await mailbox(email), before, 'a link that was passed on was killed by a stranger')
    },
    async comeByMail() {
      const email = pick(emails)!
      const url = pick(await mailbox(email))
      if (!url) return
      const token = tokenInLink(url)
      const seen = (await get('/auth/user-setup', token)).body
      if (seen.status === 'valid') {
        passwords.set(email, PASSWORD)
        expectOk(await send('POST', '/auth/change-password', token, { password: PASSWORD }))
        return
      }
      if (seen.status !== 'existing-user') return
      if (!(await tokenFor(email, passwords.get(email) ?? 'none'))) await resetByMail(email)
      const accepted = await send('POST', '/auth/user-setup/accept', await tokenFor(email), { token })
      if (accepted.body.error?.reason !== 'mailbox_unproven') return void expectOk(accepted)
      await resetByMail(email)
      expectOk(await send('POST', '/auth/user-setup/accept', await tokenFor(email), { token }))
    },
    async nameAdministrator() {
      await makeAdministrator(db, services, pick(emails)!, null)
    },
    async useShownLink() {
      const program = pick(programs)!
      const url = pick([...program.shown])
      if (!url) return
      const reply = await send('POST', '/auth/change-password', tokenInLink(url), { password: EVIL })
      if (reply.status !== 200) return
      const token = reply.body.accessToken
      const me = expectOk(await send('PATCH', '/users/me', token, named('evil'))).body
      program.stolen.push({ email: me.email, token })
    },
    async acceptAsSomebodyElse() {
      const program = pick(programs)!
      const session = pick(program.stolen)
      const url = pick([...program.shown])
      if (session && url) await send('POST', '/auth/user-setup/accept', session.token, { token: tokenInLink(url) })
    },
  }

  const readShownLinks = async (program: Program) => {
    const token = await owner(program)
    for (const [id, { email }] of program.partners) {
      const { status, body } = await get(`/partners/${id}/invitation`, token)
      if (status !== 200 || !body.url) continue
      program.shown.add(body.url)
      const { others } = await db.one<{ others: number }>`
        select (select count(*) from users where email = ${email} and password_hash is not null)
          + (select count(*) from invitations where email = ${email} and account_id is distinct from ${program.id}
            and status not in ('accepted', 'revoked')) as others`
      assert.equal(others, 0, `a link for ${email} was shown though others know that address`)
    }
    if (app === mailing) assert.equal(program.shown.size, 0)
  }

  const checkPower = async (program: Program) => {
    const held = [...program.stolen]
    for (const email of new Set(held.map((session) => session.email))) {
      const token = await tokenFor(email, EVIL)
      if (token) held.push({ email, token })
    }
    for (const { token } of held)
      for (const { accountId } of await rolesWith(token))
        assert.equal(accountId, program.id, 'a role in an account by a link that was shown for another')
  }

  const checkNames = async () => {
    const admin = await getAdministratorToken(app)
    for (const [id, { email, firstName, lastName }] of waiting) {
      const account = expectOk(await get(`/accounts/${id}`, admin)).body
      if (!account.ownerInvitation) {
        assert.doesNotMatch(account.owner.firstName ?? '', /^evil/, 'a name somebody else chose')
        waiting.delete(id)
        continue
      }
      const { owner } = account
      assert.deepEqual([owner.email, owner.firstName, owner.lastName], [email, firstName, lastName])
    }
    for (const program of programs) {
      const token = await owner(program)
      for (const [id, person] of program.partners) {
        const { email, firstName, lastName } = expectOk(await get(`/partners/${id}`, token)).body
        assert.deepEqual({ email, firstName, lastName }, person)
      }
    }
  }

  const course: string[] = []
  for (let step = 0; step < steps; step++) {
    const name = pick(Object.keys(actions))!
    course.push(name)
    try {
      await actions[name]!()
      clock.advance(MINUTE)
      for (const program of programs) {
        await readShownLinks(program)
        await checkPower(program)
      }
      await checkNames()
    } catch (error) {
      throw new Error(`seed ${seed}, after ${course.join(', ')}: ${(error as Error).message}`, { cause: error })
    }
  }
}

for (const seed of listSeeds(1)) {
  test(`life ${seed}, links passed on by hand`, { timeout: 180_000 }, () => liveRandomly(keeping, seed, 40))
  test(`life ${seed}, links by mail`, { timeout: 180_000 }, () => liveRandomly(mailing, seed + 1000, 25))
}
