import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp, tokenInLink } from '../../../test/support/app.ts'
import { freeSteps, playHistory } from '../../../test/support/histories.ts'
import { listSeeds, type Random, randomFrom } from '../../../test/support/model-test.ts'

// Random lives of portal sessions: keys are made, rotated and deleted, partners archived and restored, the account
// disabled, time passes, and two processes answer. A plain list has the tokens that still work.

const SECOND = 1000
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Most sessions of a partner. */
const MOST = 20
const secretKey = Buffer.alloc(32, 7)

type Session = { token: string; partner: number; key: Key; endsAt: number; isLink: boolean; ended: boolean }
type Key = { id: string; key: string; works: boolean; endsAt: number }

async function begin(seed: number) {
  const app = await startApp({ config: { secretKey } })
  app.clock.stop('2026-03-02T09:00:00Z')
  const twin = await startApp({ db: app.services.db, config: { secretKey } })
  const account = await anAccount(app)
  const partners = [await aPartner(app, account), await aPartner(app, account)]
  const as = async (email: string, password: string, method: string, path: string, body?: unknown) => {
    const { body: session } = expectOk(await app.api('POST', '/auth/sign-in', { body: { email, password } }))
    return app.api(method, path, { token: session.accessToken, body })
  }
  const world = {
    ...{ app, twin, account, partners, start: app.clock.now().getTime(), now: 0, chance: randomFrom(seed).chance },
    ...{ archived: [false, false], isDisabled: false, keys: [] as Key[], sessions: [] as Session[] },
    owner: (method: string, path: string, body?: unknown) =>
      as(account.ownerEmail, 'copper-meadow-71-sail', method, path, body),
    admin: (what: string) =>
      as('root@install.example', 'orchid-lantern-93-tide', 'POST', `/accounts/${account.id}/${what}`),
  }
  await newKey(world)
  return world
}
type World = Awaited<ReturnType<typeof begin>>

const keyWorks = ({ now }: World, key: Key) => key.works && now < key.endsAt
const isKept = ({ now }: World, { ended, endsAt }: Session) => !ended && now < endsAt
const isLive = (world: World, session: Session) => isKept(world, session) && keyWorks(world, session.key)
/** How tokens are refused; those that ended more than a day ago may have been deleted, and then as unknown ones. */
const refusedAs = ({ isDisabled, now }: World, { endsAt }: Session) =>
  !isDisabled ? [401] : now < endsAt + DAY ? [403] : [401, 403]

async function make(world: World, { pick, below, chance }: Random) {
  const { app, partners, keys, sessions, now } = world
  if (keys.length === 0) return
  const [key, partner, isLink] = [pick(keys), below(2), chance(40)]
  const reply = await app.api('POST', `/partners/${partners[partner]!.id}/portal-sessions`, {
    token: key.key,
    body: { kind: isLink ? 'link' : 'frame' },
  })
  const expected = !keyWorks(world, key) ? 401 : world.isDisabled ? 403 : world.archived[partner] ? 409 : 201
  assert.equal(reply.status, expected)
  if (expected !== 201) return
  const token = isLink ? tokenInLink(reply.body.url) : reply.body.token
  sessions.push({ token, partner, key, endsAt: now + (isLink ? 60 * SECOND : HOUR), isLink, ended: false })
  // those of a key that was deleted still count: they are rows until they expire
  const counted = sessions.filter((one) => one.partner === partner && isKept(world, one))
  for (const oldest of counted.slice(0, -MOST)) oldest.ended = true
}

async function newKey(world: World) {
  const { owner, account, keys, isDisabled } = world
  if (keys.filter((key) => keyWorks(world, key)).length > 8) return
  const body = { name: `Key ${keys.length}`, rights: ['partners'] }
  const reply = await owner('POST', `/accounts/${account.id}/api-keys`, body)
  assert.equal(reply.status, isDisabled ? 403 : 201)
  if (isDisabled) return
  const { id, key } = expectOk(reply).body
  keys.push({ id, key, works: true, endsAt: Number.POSITIVE_INFINITY })
}

const steps = freeSteps<World>({
  make,
  async makeMany(world, random) {
    for (let at = random.below(12); at >= 0; at--) await make(world, random)
  },
  async useLink(world, { pick }) {
    const { app, twin, sessions, isDisabled, now } = world
    const link = pick(sessions.filter(({ isLink }) => isLink))
    if (!link) return
    const works = !isDisabled && isLive(world, link)
    const use = (on: typeof app) => on.api('POST', '/auth/portal', { body: { token: link.token } })
    const replies = await Promise.all([use(app), use(twin)])
    assert.equal(replies.filter(({ status }) => status === 200).length, works ? 1 : 0)
    const opened = replies.find(({ status }) => status === 200)
    for (const reply of replies) if (reply !== opened) assert.ok(refusedAs(world, link).includes(reply.status))
    if (opened) Object.assign(link, { token: opened.body.accessToken, isLink: false, endsAt: now + HOUR })
  },
  newKey,
  async deleteKey({ owner, account, keys, isDisabled }, { pick }) {
    if (keys.length === 0 || isDisabled) return
    const { id } = pick(keys)
    const reply = await owner('DELETE', `/accounts/${account.id}/api-keys/${id}`)
    if (reply.status === 404) return
    for (const key of keys) if (key.id === id) key.works = false
  },
  async archiveOrRestore({ owner, partners, archived, sessions, isDisabled }, { below }) {
    if (isDisabled) return
    const at = below(2)
    const path = `/partners/${partners[at]!.id}`
    expectOk(await (archived[at] ? owner('PUT', path, { state: 'active' }) : owner('POST', `${path}/archive`, {})))
    archived[at] = !archived[at]
    for (const session of sessions) if (archived[at] && session.partner === at) session.ended = true
  },
  async disableOrEnable(world) {
    expectOk(await world.admin(world.isDisabled ? 'enable' : 'disable'))
    world.isDisabled = !world.isDisabled
  },
  async wait(world, { pick }) {
    world.now += pick([SECOND, 20 * SECOND, 59 * SECOND, 60 * SECOND, 20 * 60 * SECOND, HOUR - SECOND, DAY])
    world.app.clock.stop(new Date(world.start + world.now))
  },
})

async function check(world: World) {
  const { app, twin, partners, sessions, isDisabled, chance } = world
  await Promise.all(
    sessions.map(async (session, at) => {
      const { status, body } = await (chance(50) ? app : twin).api('GET', '/portal', { token: session.token })
      const works = !session.isLink && !isDisabled && isLive(world, session)
      // a link's token is no session's
      const expected = works ? [200] : session.isLink ? [401] : refusedAs(world, session)
      assert.ok(expected.includes(status), `session ${at}: ${status}`)
      if (works) assert.equal(body.partnerId, partners[session.partner]!.id)
    }),
  )
  // what is over stays over: a few are watched to the end
  world.sessions = sessions.filter((session) => isKept(world, session) || chance(80))
}

const weights = { make: 12, makeMany: 3, useLink: 8, newKey: 2, archiveOrRestore: 2, wait: 6 }

test('a portal session works as long as it is on a plain list', async () => {
  for (const seed of listSeeds(1)) await playHistory({ begin, steps, weights, length: 53, check }, seed)
})
