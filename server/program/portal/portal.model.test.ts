import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp, tokenInLink } from '../../../test/support/app.ts'
import { listSeeds, randomFrom } from '../../../test/support/model-test.ts'

// Random lives of portal sessions: keys are made, rotated and deleted, partners archived and restored, the account
// disabled, time passes, and two processes answer. A plain list has the tokens that still work.

const STEPS = Number(process.env.STEPS ?? 60)
const SECOND = 1000
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Most sessions of a partner. */
const MOST = 20
const secretKey = Buffer.alloc(32, 7)

type Session = { token: string; partner: number; key: Key; endsAt: number; isLink: boolean; ended: boolean }
type Key = { id: string; key: string; works: boolean; endsAt: number }

async function live(seed: number) {
  const trace: string[] = []
  await course(seed, trace).catch((error: Error) => {
    throw new Error(`portal sessions, seed ${seed}: ${error.message}\n${trace.join('\n')}`)
  })
}

async function course(seed: number, trace: string[]) {
  const { pick, below, chance } = randomFrom(seed)
  const app = await startApp({ config: { secretKey } })
  app.clock.stop('2026-03-02T09:00:00Z')
  const twin = await startApp({ db: app.services.db, config: { secretKey } })
  const account = await anAccount(app)
  const partners = [await aPartner(app, account), await aPartner(app, account)]
  const states = partners.map(() => ({ archived: false }))
  const keys: Key[] = []
  let sessions: Session[] = []
  let isDisabled = false
  let now = 0
  const start = app.clock.now().getTime()
  const owner = async (method: string, path: string, body?: unknown) => {
    const { body: session } = expectOk(
      await app.api('POST', '/auth/sign-in', {
        body: { email: account.ownerEmail, password: 'copper-meadow-71-sail' },
      }),
    )
    return app.api(method, path, { token: session.accessToken, body })
  }
  const admin = async (what: string) => {
    const body = { email: 'root@install.example', password: 'orchid-lantern-93-tide' }
    const { body: session } = expectOk(await app.api('POST', '/auth/sign-in', { body }))
    return app.api('POST', `/accounts/${account.id}/${what}`, { token: session.accessToken })
  }
  const keyWorks = (key: Key) => key.works && now < key.endsAt
  const isLive = ({ ended, endsAt, key }: Session) => !ended && now < endsAt && keyWorks(key)
  /** How tokens are refused; those that ended more than a day ago may have been deleted, and then as unknown ones. */
  const refusedAs = ({ endsAt }: Session) => (!isDisabled ? [401] : now < endsAt + DAY ? [403] : [401, 403])
  const isKept = ({ ended, endsAt }: Session) => !ended && now < endsAt
  const end = (which: (session: Session) => boolean) => {
    for (const session of sessions) if (which(session)) session.ended = true
  }

  const acts = {
    async make() {
      if (keys.length === 0) return 'no key'
      const [key, partner, isLink] = [pick(keys), below(2), chance(40)]
      const reply = await app.api('POST', `/partners/${partners[partner]!.id}/portal-sessions`, {
        token: key.key,
        body: { kind: isLink ? 'link' : 'frame' },
      })
      const expected = !keyWorks(key) ? 401 : isDisabled ? 403 : states[partner]!.archived ? 409 : 201
      assert.equal(reply.status, expected)
      if (expected !== 201) return expected
      const token = isLink ? tokenInLink(reply.body.url) : reply.body.token
      sessions.push({ token, partner, key, endsAt: now + (isLink ? 60 * SECOND : HOUR), isLink, ended: false })
      // those of a key that was deleted still count: they are rows until they expire
      const counted = sessions.filter((one) => one.partner === partner && isKept(one))
      for (const oldest of counted.slice(0, -MOST)) oldest.ended = true
      return `${partner} ${isLink ? 'link' : 'frame'}`
    },
    async many() {
      for (let at = below(12); at >= 0; at--) await acts.make()
      return 'made'
    },
    async 'use a link'() {
      const links = sessions.filter(({ isLink }) => isLink)
      if (links.length === 0) return 'none'
      const link = pick(links)
      const works = !isDisabled && isLive(link)
      const use = (on: typeof app) => on.api('POST', '/auth/portal', { body: { token: link.token } })
      const replies = await Promise.all([use(app), use(twin)])
      assert.equal(replies.filter(({ status }) => status === 200).length, works ? 1 : 0)
      const opened = replies.find(({ status }) => status === 200)
      for (const reply of replies) if (reply !== opened) assert.ok(refusedAs(link).includes(reply.status))
      if (!opened) return 'refused'
      Object.assign(link, { token: opened.body.accessToken, isLink: false, endsAt: now + HOUR })
      return 'opened'
    },
    async 'new key'() {
      if (keys.filter(keyWorks).length > 8) return 'enough'
      const body = { name: `Key ${keys.length} ${seed}`, rights: ['partners'] }
      const reply = await owner('POST', `/accounts/${account.id}/api-keys`, body)
      assert.equal(reply.status, isDisabled ? 403 : 201)
      if (isDisabled) return 'refused'
      const { id, key } = expectOk(reply).body
      keys.push({ id, key, works: true, endsAt: Number.POSITIVE_INFINITY })
      return id
    },
    async 'delete a key'() {
      if (keys.length === 0 || isDisabled) return 'none'
      const { id } = pick(keys)
      const reply = await owner('DELETE', `/accounts/${account.id}/api-keys/${id}`)
      if (reply.status === 404) return 'gone'
      for (const key of keys) if (key.id === id) key.works = false
      return id
    },
    async 'archive or restore'() {
      if (isDisabled) return 'disabled'
      const partner = below(2)
      const path = `/partners/${partners[partner]!.id}`
      const { archived } = states[partner]!
      expectOk(await (archived ? owner('PUT', path, { state: 'active' }) : owner('POST', `${path}/archive`, {})))
      states[partner]!.archived = !archived
      if (!archived) end((session) => session.partner === partner)
      return partner
    },
    async 'disable or enable'() {
      expectOk(await admin(isDisabled ? 'enable' : 'disable'))
      isDisabled = !isDisabled
    },
    async wait() {
      const ms = pick([SECOND, 20 * SECOND, 59 * SECOND, 60 * SECOND, 20 * 60 * SECOND, HOUR - SECOND, DAY])
      now += ms
      app.clock.stop(new Date(start + now))
      return ms
    },
  }
  const bag = Object.entries(weights).flatMap(([name, weight]) => Array.from({ length: weight }, () => name))
  for (let step = 0; step < STEPS; step++) {
    const name = (step === 0 ? 'new key' : pick(bag)) as keyof typeof acts
    trace.push(name)
    trace[trace.length - 1] = `${name}: ${await acts[name]()}`
    await watch()
  }

  async function watch() {
    const all = await Promise.all(
      sessions.map(async (session) => {
        const { status, body } = await (chance(50) ? app : twin).api('GET', '/portal', { token: session.token })
        const works = !session.isLink && !isDisabled && isLive(session)
        // a link's token is no session's
        const expected = works ? [200] : session.isLink ? [401] : refusedAs(session)
        assert.ok(expected.includes(status), `session ${sessions.indexOf(session)}: ${status}`)
        if (works) assert.equal(body.partnerId, partners[session.partner]!.id)
        return session
      }),
    )
    // what is over stays over: a few are watched to the end
    sessions = all.filter((session) => isKept(session) || chance(80))
  }
}

const weights = {
  make: 12,
  many: 3,
  'use a link': 8,
  'new key': 2,
  'delete a key': 1,
  'archive or restore': 2,
  'disable or enable': 1,
  wait: 6,
} satisfies Record<string, number>

test('a portal session works as long as it is on a plain list', async () => {
  for (const seed of listSeeds(1)) await live(seed)
})
