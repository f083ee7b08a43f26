import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  anAccount,
  expectOk,
  getAdministratorToken,
  sendRequest,
  signIn,
  startApp,
  waitUntil,
} from '../../../test/support/app.ts'
import { anInternet } from '../../../test/support/internet.ts'
import { listSeeds, randomFrom } from '../../../test/support/model-test.ts'
import { verifyLedger } from '../stats/verify.ts'
import { checkPresentHost, deleteLostHosts } from './check-host.ts'

// Random lives of three accounts and three names: claims, records that come and go, servers that fail, silent name
// servers, days, two calls at once in two processes. A plain model has the account of each name, and its answer.

const STEPS = Number(process.env.STEPS ?? 80)
const DAY = 86_400_000
const secretKey = Buffer.alloc(32, 7)
const NAMES = ['one.example', 'two.example', 'three.example']
const ACCOUNTS = [0, 1, 2]

/** An account's claim: `owned` is proven, `kept` given up but still its. */
type Claim = { kept: boolean; owned: boolean; live: 'not yet' | 'yes' | 'no more'; failures: number; day: number }
type Model = { claims: Map<string, Claim>; told: number[] }
type World = { records: Map<string, Set<number>>; up: Set<string>; hears: boolean; day: number }

const keyOf = (account: number, name: string) => `${account} ${name}`
const copyOf = (model: Model): Model => structuredClone(model)

/** The rules once more, without a database. */
function rulesOf({ claims, told: events }: Model, world: World) {
  const claimOf = (account: number, name: string) => claims.get(keyOf(account, name))
  const names = (account: number, name: string) => world.records.get(name)?.has(account) === true
  const presentOf = (account: number) => NAMES.find((name) => claimOf(account, name)?.kept === false)
  const ownerOf = (name: string) => ACCOUNTS.find((account) => claimOf(account, name)?.owned)

  function fail(account: number, claim: Claim, isDaily: boolean) {
    if (!isDaily || claim.live === 'not yet' || claim.day === world.day) return
    claim.day = world.day
    claim.failures = Math.min(7, claim.failures + 1)
    if (claim.failures < 7 || claim.live === 'no more') return
    claim.live = 'no more'
    events[account]!++
  }

  function check(account: number, isDaily = false): 'done' | 'taken' {
    const name = presentOf(account)
    if (!name) return 'done'
    const claim = claimOf(account, name)!
    if (!world.hears || !names(account, name)) {
      fail(account, claim, isDaily)
      return 'done'
    }
    const owner = ownerOf(name)
    if (owner !== undefined && owner !== account) {
      const theirs = claimOf(owner, name)!
      if (!theirs.kept && names(owner, name)) return 'taken'
      if (theirs.kept) claims.delete(keyOf(owner, name))
      else {
        if (theirs.live !== 'not yet') events[owner]!++
        Object.assign(theirs, { owned: false, live: 'not yet', failures: 0 })
      }
    }
    claim.owned = true
    if (!world.up.has(name)) fail(account, claim, isDaily)
    else {
      Object.assign(claim, { live: 'yes', failures: 0 })
      if (isDaily) claim.day = world.day
    }
    return 'done'
  }

  function save(account: number, name: string | null): 'done' | 'taken' {
    const present = presentOf(account)
    if ((present ?? null) === name) return 'done'
    const before = structuredClone([...claims])
    if (present) {
      const claim = claimOf(account, present)!
      if (claim.owned) claim.kept = true
      else claims.delete(keyOf(account, present))
    }
    if (name === null) return 'done'
    const owned = claimOf(account, name)?.owned === true
    claims.set(keyOf(account, name), { kept: false, owned, live: 'not yet', failures: 0, day: -1 })
    if (check(account) === 'done') return 'done'
    claims.clear()
    for (const [key, claim] of before) claims.set(key, claim)
    return 'taken'
  }

  function day(account: number) {
    check(account, true)
    for (const name of NAMES) {
      const others = ACCOUNTS.some((other) => other !== account && names(other, name))
      if (claimOf(account, name)?.kept && world.hears && !names(account, name) && others)
        claims.delete(keyOf(account, name))
    }
  }

  const stateOf = (account: number) => {
    const name = presentOf(account)
    if (!name) return null
    const { owned, live } = claimOf(account, name)!
    return { name, state: !owned ? 'unproven' : { 'not yet': 'proven', yes: 'ready', 'no more': 'attention' }[live] }
  }
  return { check, save, day, stateOf, ownerOf }
}

async function live(seed: number) {
  const trace: string[] = []
  await course(seed, trace).catch((error: Error) => {
    throw new Error(`hosts, seed ${seed}: ${error.message}\n${trace.join('\n')}`)
  })
}

async function course(seed: number, trace: string[]) {
  const { pick, chance } = randomFrom(seed)
  const { outbound, texts, servers, state } = anInternet()
  const app = await startApp({ outbound, config: { secretKey } })
  app.clock.stop('2026-03-02T09:00:00Z')
  const twin = await startApp({
    outbound,
    clock: app.clock,
    db: app.services.db,
    config: { secretKey, appUrl: app.url },
  })
  const accounts = await Promise.all(ACCOUNTS.map(() => anAccount(app)))
  const publicIds = await Promise.all(
    accounts.map(async ({ id, token }) => expectOk(await app.api('GET', `/accounts/${id}`, { token })).body.publicId),
  )
  const world: World = { records: new Map(), up: new Set(), hears: true, day: 0 }
  let model: Model = { claims: new Map(), told: ACCOUNTS.map(() => 0) }

  const outcomes = { 200: 'done', 404: 'done', 409: 'taken' } as Record<number, string>
  const call = async (account: number, method: string, path: string, body?: unknown, on = pick([app, twin])) => {
    const { id, token } = accounts[account]!
    const reply = await on.api(method, `/accounts/${id}/brand${path}`, { token, body })
    assert.ok(reply.status in outcomes, JSON.stringify(reply.body))
    return outcomes[reply.status]!
  }
  const saving = (account: number, name: string | null, on?: typeof app) => call(account, 'PUT', '', { host: name }, on)
  const checking = (account: number, on?: typeof app) => call(account, 'POST', '/host/check', undefined, on)
  const today = () => app.clock.now().toISOString().slice(0, 10)
  const aName = () => pick(chance(60) ? [NAMES[0]!] : NAMES)

  const acts = {
    async save() {
      const [account, name] = [pick(ACCOUNTS), chance(20) ? null : aName()]
      const expected = rulesOf(model, world).save(account, name)
      assert.equal(await saving(account, name), expected)
      return `${account} ${name}: ${expected}`
    },
    async check() {
      const account = pick(ACCOUNTS)
      const expected = rulesOf(model, world).check(account)
      assert.equal(await checking(account), expected)
      return `${account}: ${expected}`
    },
    /** Two calls at once have the effect of one after the other. */
    async together() {
      const wish = () => ({ account: pick(ACCOUNTS), name: chance(50) ? aName() : undefined })
      const [one, other] = [wish(), wish()]
      const play = (order: (typeof one)[]) => {
        const played = copyOf(model)
        const { save, check } = rulesOf(played, world)
        const outcome = new Map(order.map((it) => [it, it.name ? save(it.account, it.name) : check(it.account)]))
        return { played, outcomes: [outcome.get(one), outcome.get(other)] }
      }
      const courses = [play([one, other]), play([other, one])]
      const make = ({ account, name }: typeof one, on: typeof app) =>
        name ? saving(account, name, on) : checking(account, on)
      const outcomes = await Promise.all([make(one, app), make(other, twin)])
      const seen = await statesNow()
      const fits = courses.find(
        (course) =>
          isEqual(course.outcomes, outcomes) && isEqual(ACCOUNTS.map(rulesOf(course.played, world).stateOf), seen),
      )
      const words = JSON.stringify({ one, other, outcomes, seen })
      assert.ok(fits, `no order explains ${words}`)
      model = fits.played
      return words
    },
    async record() {
      const [name, account] = [aName(), pick(ACCOUNTS)]
      const named = world.records.get(name) ?? new Set()
      world.records.set(name, named)
      if (chance(20)) named.clear()
      else if (!named.delete(account)) named.add(account)
      texts.set(
        `_tributary.${name}`,
        [...named].map((one) => `tributary=${publicIds[one]}`),
      )
      return `${name} names ${[...named]}`
    },
    async server() {
      const name = aName()
      if (world.up.delete(name)) servers.delete(name)
      else {
        world.up.add(name)
        servers.set(name, pick([app, twin]).url)
      }
      return `${name} ${world.up.has(name)}`
    },
    async 'name servers'() {
      world.hears = !world.hears
      state.nameServersAnswer = world.hears
      return world.hears
    },
    async days() {
      const days = pick([1, 1, 3, 5, 7])
      for (let at = 0; at < days; at++) {
        app.clock.advance(DAY)
        world.day++
        for (const account of pick([ACCOUNTS, ACCOUNTS.toReversed()])) {
          const { id } = accounts[account]!
          rulesOf(model, world).day(account)
          const [first, second] = [app, twin].map(async ({ services }) => {
            await checkPresentHost(services, id, { today: today() })
            await deleteLostHosts(services, id)
          })
          await Promise.all([first, second])
          await checkPresentHost(app.services, id, { today: today() })
        }
      }
      for (const account of accounts) Object.assign(account, await signIn(app, account.ownerEmail))
      return days
    },
  }

  async function statesNow() {
    const admin = await getAdministratorToken(app)
    return Promise.all(
      accounts.map(async ({ id }) => expectOk(await app.api('GET', `/accounts/${id}`, { token: admin })).body.host),
    )
  }

  async function compare() {
    const { stateOf, ownerOf } = rulesOf(model, world)
    assert.deepEqual(await statesNow(), ACCOUNTS.map(stateOf))
    for (const [at, { id, token }] of accounts.entries()) {
      const host = stateOf(at)
      const { portalUrl } = expectOk(await app.api('GET', `/accounts/${id}/brand`, { token })).body
      assert.equal(portalUrl, host?.state === 'ready' ? `https://${host.name}` : app.services.config.appUrl)
    }
    for (const name of NAMES)
      for (const { url } of [app, twin])
        await waitUntil(async () => {
          const { status } = await sendRequest(`${url}/health/host?domain=${name}`, { method: 'GET' })
          assert.equal(status, ownerOf(name) === undefined ? 404 : 200, name)
          return true
        }, 5000)
    const events = await app.services.db.many<{ accountId: string }>`
      select account_id from passing_events where type = 'account.host-failed'`
    assert.deepEqual(
      accounts.map(({ id }) => events.filter(({ accountId }) => accountId === id).length),
      model.told,
    )
  }

  const bag = Object.entries(weights).flatMap(([name, weight]) => Array.from({ length: weight }, () => name))
  for (let step = 0; step < STEPS; step++) {
    const name = pick(bag) as keyof typeof acts
    trace.push(name)
    trace[trace.length - 1] = `${name}: ${await acts[name]()}`
    await compare()
  }
  assert.deepEqual(await verifyLedger(app.services.db), [])
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const weights = { save: 4, check: 6, together: 4, record: 6, server: 3, 'name servers': 1, days: 5 }

test('names belong to the same accounts as in a plain model, in every process', async () => {
  for (const seed of listSeeds(12)) await live(seed)
})
