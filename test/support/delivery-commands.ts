import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import {
  resendDelivery,
  resendFailedSince,
  webhookListener,
} from '../../server/integrations/outgoing-webhooks/deliveries.ts'
import { startDispatcher } from '../../server/integrations/outgoing-webhooks/dispatcher.ts'
import {
  changeOutgoingWebhook,
  createOutgoingWebhook,
  deleteOutgoingWebhook,
  rotateSecret,
} from '../../server/integrations/outgoing-webhooks/webhooks.ts'
import { system } from '../../server/platform/author.ts'
import { newId } from '../../server/platform/database/ids.ts'
import { type Database, type Transaction, transaction } from '../../server/platform/database/pool.ts'
import { emitEvent } from '../../server/platform/events/emit-event.ts'
import { relayOnce } from '../../server/platform/events/relay.ts'
import { createOutbound } from '../../server/platform/http/outbound.ts'
import type { Services } from '../../server/platform/services.ts'
import { signatureHolds } from '../fakes/receiver.ts'
import { atTime, ledgerServices } from './ledger.ts'
import { type ModelTest, type Random, randomFrom } from './model-test.ts'

/** Sent at random; some webhooks subscribe to it, those of other events do not. */
const EVENT = 'partner.payout-settings-updated'
const TIMEOUT_MS = 250
const MOST_AT_ONCE = 4
const DAY_MS = 86_400_000

const PLAIN = { format: 'json', headers: {}, enabled: true } as const

/** A receiver's behaviour towards its next caller. */
const moods = ['good', 'good', 'good', 'failing', 'hanging', 'breaking', 'late', 'busy', 'gone'] as const
type Mood = (typeof moods)[number]

type Request = { path: string; headers: IncomingHttpHeaders; raw: string; answered: number | null }

/** Receivers of one life, each at a path, over one server. */
async function startReceivers() {
  const moodOf = new Map<string, Mood>()
  const open = new Map<string, number>()
  const requests: Request[] = []
  let crowded: string | undefined
  const answer = async (response: ServerResponse, request: Request) => {
    const say = (status: number, headers: Record<string, string> = {}) => {
      // a request that the other side has given up never got an answer
      if (response.destroyed) return
      request.answered = status
      response.writeHead(status, headers).end('answer')
    }
    const mood = moodOf.get(request.path) ?? 'good'
    if (mood === 'good') return say(200)
    if (mood === 'failing') return say(500)
    if (mood === 'breaking') return response.socket?.destroy()
    if (mood === 'busy') return say(429, { 'retry-after': '600' })
    if (mood === 'gone') return say(410)
    if (mood === 'late') {
      await sleep(TIMEOUT_MS / 3)
      return say(202)
    }
  }
  const server = createServer(async (incoming, response) => {
    const path = incoming.url ?? ''
    const count = (open.get(path) ?? 0) + 1
    open.set(path, count)
    if (count > MOST_AT_ONCE) crowded = `${count} requests at once to ${path}`
    response.on('close', () => open.set(path, open.get(path)! - 1))
    let raw = ''
    try {
      for await (const chunk of incoming) raw += chunk
    } catch {
      return
    }
    const request: Request = { path, headers: incoming.headers, raw, answered: null }
    requests.push(request)
    await answer(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    moodOf,
    requests,
    crowded: () => crowded,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Hook = { id: string; accountId: string; paths: string[]; secrets: string[]; wants: boolean; deleted: boolean }
type Life = {
  services: Services
  receivers: Awaited<ReturnType<typeof startReceivers>>
  random: Random
  time: { now: number }
  accounts: string[]
  hooks: Hook[]
  /** Events so far, by the partner in their object, who is unique to each. */
  told: Map<string, { accountId: string; object: object }>
  couriers: ReturnType<typeof startDispatcher>[]
  diary: string[]
  /** Concurrent work, such as locks that last for a while. */
  beside: Promise<unknown>[]
}

/**
 * Random lives of outgoing webhooks: receivers that fail, hang, break and ask for time; webhooks that are changed,
 * turned off, rotated and deleted, rows that are locked and couriers that stop between any two steps. At the end all
 * works again, and every due delivery must have been made, to its own webhook alone.
 */
export const deliveryLives: ModelTest = {
  async begin(db) {
    const services = { ...ledgerServices(db), outbound: createOutbound({ allowPrivate: true }) }
    return { live: (seed) => live(services, seed), end: async () => services.outbound.close() }
  },
}

async function live(services: Services, seed: number) {
  const receivers = await startReceivers()
  const time = { now: Date.parse('2026-03-09T12:00:00Z') }
  const diary: string[] = []
  try {
    await atTime(time, async () => {
      const random = randomFrom(seed)
      const accounts = [await anAccount(services.db), await anAccount(services.db)]
      const rest = { hooks: [], told: new Map(), couriers: [], beside: [] }
      const life: Life = { services, receivers, random, time, accounts, diary, ...rest }
      try {
        await course(life)
        await deliverAll(life)
        await compare(life)
      } finally {
        await Promise.all(life.couriers.map((courier) => courier.stop()))
      }
    })
  } catch (error) {
    const { message, stack } = error as Error
    throw new Error(`deliveries, seed ${seed}: ${message}\n${diary.join('\n')}\n${stack}`)
  } finally {
    await receivers.close()
  }
}

async function anAccount(db: Database) {
  const id = newId()
  await db.run`insert into accounts (id, public_id, created_at, updated_at) values (${id}, ${id}, ${db.now}, ${db.now})`
  return id
}

async function course(life: Life) {
  const { random } = life
  for (let n = random.between(2, 4); n > 0; n--) await addHook(life)
  startOne(life)
  for (let step = random.between(15, 30); step > 0; step--) {
    if (random.chance(60)) await emitSome(life)
    await random.pick(acts)(life)
    if (random.chance(30)) await sleep(random.below(60))
  }
  await Promise.all(life.beside)
}

const startOne = ({ services, couriers, diary }: Life) => {
  diary.push('courier starts')
  couriers.push(startDispatcher(services, { timeoutMs: TIMEOUT_MS, stopMs: 20, random: Math.random }))
}

const inTransaction = <T>({ services: { db } }: Life, work: (tx: Transaction) => Promise<T>) => transaction(db, work)

async function addHook(life: Life) {
  const { services, random, hooks, accounts, receivers, diary } = life
  const accountId = random.pick(accounts)
  const path = `/${hooks.length}-0`
  const events = random.pick([['*'], ['*'], [EVENT], ['lead.created']]) as ['*']
  const given = { name: path, url: `${receivers.url}${path}`, events, ...PLAIN }
  const { id, secret } = await inTransaction(life, (tx) =>
    createOutgoingWebhook(tx, services, system, accountId, given),
  )
  hooks.push({
    id,
    accountId,
    paths: [path],
    secrets: [secret],
    wants: !events.includes('lead.created' as never),
    deleted: false,
  })
  diary.push(`webhook ${path} of ${accountId.slice(-4)} for ${events}`)
}

async function emitSome(life: Life) {
  const { services, random, told, accounts, hooks, diary } = life
  /** Webhooks that are on, and those turned off by failures: none of their events is lost. */
  const isOn = () =>
    services.db.many<{ id: string }>`
      select id from outgoing_webhooks where (enabled or disabled_reason is not null) and deleted_at is null`
  const before = new Set((await isOn()).map(({ id }) => id))
  const sent: string[] = []
  for (let n = random.pick([1, 1, 3, 12]); n > 0; n--) {
    const [accountId, partnerId] = [random.pick(accounts), newId()]
    const object = { partnerId, enabled: random.chance(50), kind: null, updatedAt: services.db.now.toISOString() }
    told.set(partnerId, { accountId, object })
    sent.push(partnerId)
    await inTransaction(life, (tx) => emitEvent(tx, system, accountId, EVENT, { id: partnerId, object }))
  }
  while ((await relayOnce(services, [webhookListener])) > 0);
  const after = new Set((await isOn()).map(({ id }) => id))
  for (const partnerId of sent)
    for (const hook of hooks) {
      const wanted = hook.wants && hook.accountId === told.get(partnerId)!.accountId
      const { count } = await services.db.one<{ count: number }>`
        select count(*) as count from outgoing_deliveries d join told_events e on e.id = d.event_id
        where d.webhook_id = ${hook.id} and e.subject_id = ${partnerId}`
      if (before.has(hook.id) && after.has(hook.id) && count !== Number(wanted))
        throw new Error(`${hook.paths[0]} has ${count} deliveries of an event, wanted ${wanted}`)
      if (!before.has(hook.id) && !after.has(hook.id) && count > 0)
        throw new Error(`${hook.paths[0]} is off and got a delivery`)
    }
  diary.push(`${sent.length} events`)
}

const onHook = (name: string, act: (life: Life, hook: Hook) => Promise<unknown>) => async (life: Life) => {
  const hook = life.random.pick(life.hooks)
  if (hook.deleted) return
  life.diary.push(`${hook.paths[0]}: ${name}`)
  await act(life, hook)
}
const change = (life: Life, { id, accountId }: Hook, to: object) =>
  inTransaction(life, (tx) => changeOutgoingWebhook(tx, life.services, system, { id, accountId }, to))

const acts: ((life: Life) => Promise<unknown> | unknown)[] = [
  onHook('the receiver changes its mood', async ({ receivers, random }, { paths }) => {
    receivers.moodOf.set(paths.at(-1)!, random.pick(moods))
  }),
  onHook('all its receivers are well', async ({ receivers }, { paths }) => {
    for (const path of paths) receivers.moodOf.set(path, 'good')
  }),
  onHook('another address', async (life, hook) => {
    const path = `${hook.paths[0]}-${hook.paths.length}`
    hook.paths.push(path)
    await change(life, hook, { url: `${life.receivers.url}${path}` })
  }),
  onHook('off', (life, hook) => change(life, hook, { enabled: false })),
  onHook('on', (life, hook) => change(life, hook, { enabled: true })),
  onHook('another secret', async (life, hook) => {
    const { id, accountId } = hook
    const { secret } = await inTransaction(life, (tx) =>
      rotateSecret(tx, life.services.secrets, system, { id, accountId }),
    )
    hook.secrets.push(secret)
  }),
  onHook('all that failed again', (life, { id }) =>
    inTransaction(life, (tx) => resendFailedSince(tx, id, '2026-01-01T00:00:00.000Z')).catch(unlessOff),
  ),
  onHook('one again', async (life, { id }) => {
    const all = await life.services.db.many<{ id: string }>`
      select id from outgoing_deliveries where webhook_id = ${id} order by id`
    if (all.length > 0)
      await inTransaction(life, (tx) =>
        resendDelivery(tx, { origin: 'https://partners.example' }, id, life.random.pick(all).id),
      ).catch(unlessOff)
  }),
  onHook('its row is locked', async ({ services, random, beside }, { id }) => {
    beside.push(holdRow(services.db.url, id, random.between(100, 900)))
  }),
  async (life) => {
    if (life.random.chance(75) || life.hooks.length < 3) return
    await onHook('deleted', async (_, hook) => {
      hook.deleted = true
      const { id, accountId } = hook
      await inTransaction(life, (tx) => deleteOutgoingWebhook(tx, system, { id, accountId }))
    })(life)
  },
  addHook,
  (life) => {
    if (life.couriers.length < 3) startOne(life)
  },
  async (life) => {
    life.diary.push('a courier stops')
    await life.couriers.shift()?.stop()
  },
  ({ time, random, diary }) => {
    const ms = random.pick([1000, 6000, 400_000, 3 * 3_600_000, DAY_MS])
    time.now += ms
    diary.push(`${ms / 1000} s pass`)
  },
]

const unlessOff = (error: Error & { code?: string }) => {
  if (error.code !== 'invalid_state') throw error
}

async function holdRow(url: string, id: string, ms: number) {
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('begin')
  await other.query('select from outgoing_webhooks where id = $1 for update', [id])
  await sleep(ms)
  await other.end()
}

/** Makes all receivers work and turns all webhooks on, and lets time pass until nothing waits or has failed. */
async function deliverAll(life: Life) {
  const { services, receivers, hooks, time, couriers, diary } = life
  receivers.moodOf.clear()
  if (couriers.length === 0) startOne(life)
  const present = hooks.filter(({ deleted }) => !deleted)
  for (const hook of present) await change(life, hook, { enabled: true })
  for (const { id } of present) await inTransaction(life, (tx) => resendFailedSince(tx, id, '2026-01-01T00:00:00.000Z'))
  diary.push('all is well')
  const ids = present.map(({ id }) => id)
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(20)) {
    const { left } = await services.db.one<{ left: number }>`
      select count(*) as left from outgoing_deliveries where webhook_id = any(${ids}::uuid[]) and state <> 'delivered'`
    if (left === 0) return
    time.now += 60_000
  }
  throw new Error('deliveries are left')
}

async function compare({ services, receivers, hooks, told }: Life) {
  if (receivers.crowded()) throw new Error(receivers.crowded())
  for (const hook of hooks) {
    const taken = new Set<string>()
    for (const { path, headers, raw, answered } of receivers.requests.filter(({ path }) => hook.paths.includes(path))) {
      const { id, accountId, data } = JSON.parse(raw)
      const event = told.get(data.object.partnerId)
      if (!event || !hook.wants || event.accountId !== hook.accountId || accountId !== hook.accountId)
        throw new Error(`${path} was sent an event that is not for it`)
      if (!isDeepStrictEqual(data.object, event.object)) throw new Error(`${path}: another object`)
      const at = new Date(Number(headers['webhook-timestamp']) * 1000)
      if (!hook.secrets.some((secret) => signatureHolds({ headers, raw }, secret, at)))
        throw new Error(`${path}: signed by none of its secrets`)
      if (headers['webhook-id'] !== id) throw new Error(`${path}: another id`)
      if (answered === 200 || answered === 202) taken.add(id)
    }
    if (hook.deleted) continue
    const rows = await services.db.many<{ eventId: string; tries: number }>`
      select event_id, tries from outgoing_deliveries where webhook_id = ${hook.id}`
    for (const { eventId, tries } of rows) {
      if (!taken.has(eventId)) throw new Error(`${hook.paths[0]}: kept as delivered, never taken`)
      const sent = receivers.requests.filter(
        (request) => hook.paths.includes(request.path) && request.headers['webhook-id'] === eventId,
      )
      if (tries > sent.length) throw new Error(`${hook.paths[0]}: ${tries} tries, but sent ${sent.length} times`)
    }
    const row = await services.db.one<{ failures: number; enabled: boolean }>`
      select failures, enabled from outgoing_webhooks where id = ${hook.id}`
    if (!row.enabled || (rows.length > 0 && row.failures > 0))
      throw new Error(`${hook.paths[0]}: all is delivered, but it stands at ${JSON.stringify(row)}`)
  }
}
