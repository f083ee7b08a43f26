import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
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
import { aStep, playHistory } from '../../../test/support/histories.ts'
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

/** Returns the item at a place of a list, which begins again at its end; undefined if it is empty. */
const itemOf = <T>(list: readonly T[], number: number): T | undefined => list[number % list.length]

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

async function aWorld(app: TestApp, seed: number) {
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

  return {
    ...{ app, programs, waiting, passwords, named, get, send, tokenFor, owner, mailbox, resetByMail },
    email: (number: number) => itemOf(emails, number)!,
    program: (number: number) => itemOf(programs, number)!,
    readShownLinks,
    checkPower,
    checkNames,
  }
}

type World = Awaited<ReturnType<typeof aWorld>>

const anyEmail = fc.nat(3)
const anyProgram = fc.nat(2)
/** The place of whatever there is then. */
const any = fc.nat(99)

const steps = {
  newAccount: aStep(anyEmail, async ({ app, email: emailOf, waiting, named, send }: World, number) => {
    const email = emailOf(number)
    const names = named('owner')
    const { body } = expectOk(
      await send('POST', '/accounts', await getAdministratorToken(app), {
        name: `New ${names.firstName}`,
        owner: { email, ...names },
      }),
    )
    waiting.set(body.id, { email, ...names })
  }),
  newPartner: aStep(fc.tuple(anyProgram, anyEmail), async ({ send, owner, named, ...world }: World, [of, email]) => {
    const program = world.program(of)
    const person = { email: world.email(email), ...named('partner') }
    const reply = await send('POST', `/accounts/${program.id}/partners`, await owner(program), person)
    if (reply.status === 201) program.partners.set(reply.body.id, person)
    else assert.equal(reply.body.error.code, 'duplicate')
  }),
  correctPartner: aStep(
    fc.tuple(anyProgram, any, fc.option(anyEmail, { freq: 2 })),
    async ({ send, owner, named, ...world }: World, [of, which, email]) => {
      const program = world.program(of)
      const [id, person] = itemOf([...program.partners], which) ?? []
      if (!id || !person) return
      const change = email === null ? named('renamed') : { email: world.email(email) }
      const reply = await send('PUT', `/partners/${id}`, await owner(program), change)
      if (reply.status === 200) Object.assign(person, change)
      else assert.ok([409, 429].includes(reply.status), JSON.stringify(reply.body))
    },
  ),
  deletePartner: aStep(
    fc.tuple(anyProgram, any, fc.nat(9)),
    async ({ send, owner, ...world }: World, [of, which, chance]) => {
      const program = world.program(of)
      const [id] = itemOf([...program.partners], which) ?? []
      if (!id || chance < 7) return
      expectOk(await send('DELETE', `/partners/${id}`, await owner(program)))
      program.partners.delete(id)
    },
  ),
  retry: aStep(fc.tuple(anyProgram, any), async ({ send, owner, ...world }: World, [of, which]) => {
    const program = world.program(of)
    const [id] = itemOf([...program.partners], which) ?? []
    clock.advance(61_000)
    if (id) await send('POST', `/partners/${id}/invitation/retries`, await owner(program))
  }),
  askAnonymously: aStep(
    fc.tuple(anyEmail, fc.constantFrom('reset' as const, 'set-up' as const)),
    async ({ app, mailbox, ...world }: World, [number, kind]) => {
      const email = world.email(number)
      const before = await mailbox(email)
      await answerLinkRequest(app.services, { ...aRequest(email), kind })
      assert.deepEqual(await mailbox(email), before, 'a link that was passed on was killed by a stranger')
    },
  ),
  comeByMail: aStep(fc.tuple(anyEmail, any), async (world: World, [number, which]) => {
    const { mailbox, get, send, tokenFor, resetByMail, passwords } = world
    const email = world.email(number)
    const url = itemOf(await mailbox(email), which)
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
  }),
  nameAdministrator: aStep(anyEmail, ({ app, email }: World, number) =>
    makeAdministrator(app.services.db, app.services, email(number), null),
  ),
  useShownLink: aStep(fc.tuple(anyProgram, any), async ({ send, named, ...world }: World, [of, which]) => {
    const program = world.program(of)
    const url = itemOf([...program.shown], which)
    if (!url) return
    const reply = await send('POST', '/auth/change-password', tokenInLink(url), { password: EVIL })
    if (reply.status !== 200) return
    const token = reply.body.accessToken
    const me = expectOk(await send('PATCH', '/users/me', token, named('evil'))).body
    program.stolen.push({ email: me.email, token })
  }),
  acceptAsSomebodyElse: aStep(
    fc.tuple(anyProgram, any, any),
    async ({ send, ...world }: World, [of, first, second]) => {
      const program = world.program(of)
      const session = itemOf(program.stolen, first)
      const url = itemOf([...program.shown], second)
      if (session && url) await send('POST', '/auth/user-setup/accept', session.token, { token: tokenInLink(url) })
    },
  ),
}

async function check({ programs, readShownLinks, checkPower, checkNames }: World) {
  clock.advance(MINUTE)
  for (const program of programs) {
    await readShownLinks(program)
    await checkPower(program)
  }
  await checkNames()
}

const livesOn = (app: TestApp, length: number) => ({ begin: (seed: number) => aWorld(app, seed), steps, length, check })

for (const seed of listSeeds(1)) {
  test(`life ${seed}, links passed on by hand`, { timeout: 180_000 }, () => playHistory(livesOn(keeping, 40), seed))
  test(`life ${seed}, links by mail`, { timeout: 180_000 }, () => playHistory(livesOn(mailing, 25), seed + 1000))
}
