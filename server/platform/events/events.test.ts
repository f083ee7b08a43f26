import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { anAccount, startApp, turnableClock, waitUntil } from '../../../test/support/app.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { NIL } from '../database/ids.ts'
import { type Database, transaction } from '../database/pool.ts'
import type { Services } from '../services.ts'
import { eventBacklog } from './backlog.ts'
import { deleteOldEvents } from './delete-old-events.ts'
import { defineSignal, sendSignal } from './emit-event.ts'
import { parkedEvents } from './parked.ts'
import { type Event, type Listener, relayOnce, startRelay } from './relay.ts'

const DAY_MS = 86_400_000
const MONTH_MS = 31 * DAY_MS

const noticed = defineSignal<{ n: number }>('test.noticed')

async function withEvents() {
  const clock = turnableClock()
  const db = await freshDatabase({ clock })
  const services = { db, log: pino({ level: 'silent' }) } as unknown as Services
  const tell = (...numbers: number[]) =>
    transaction(db, async (tx) => {
      for (const n of numbers) await sendSignal(tx, null, noticed, { n })
    })
  return { clock, db, services, tell }
}

/** Records the numbers received; refuses those matching `refuses`. */
function listener(refuses: (n: number) => boolean = () => false) {
  const received: number[] = []
  const batches: number[] = []
  const listen: Listener = async (_tx, events) => {
    const numbers = events.map(({ data }) => data.n as number)
    if (numbers.some(refuses)) throw new Error('planted')
    received.push(...numbers)
    batches.push(numbers.length)
  }
  return { received, batches, listen }
}

const waiting = (db: Database) =>
  db.many<{ n: number; tries: number; error: string | null; parked: boolean }>`
    select (e.data ->> 'n')::integer as n, r.tries, r.error, r.parked_at is not null as parked
    from event_relays r join told_events e on e.id = r.event_id order by r.event_id`

test('an event is relayed exactly if its change commits, and once by any number of relays', async () => {
  const { db, services, tell } = await withEvents()
  await tell(1)
  const lost = transaction(db, async (tx) => {
    await sendSignal(tx, null, noticed, { n: 2 })
    throw new Error('no')
  })
  await assert.rejects(lost, /no/)
  const { received, listen } = listener()
  const slow: Listener = async (...given) => {
    await listen(...given)
    await sleep(20)
  }
  await Promise.all(Array.from({ length: 5 }, () => relayOnce(services, [slow])))
  assert.deepEqual(received, [1])
  assert.deepEqual(await waiting(db), [])
  const { kept } = await db.one<{ kept: number }>`select count(*) as kept from told_events`
  assert.equal(kept, 1, 'the event stays')
})

test('a batch is delivered as a whole', async () => {
  const { services, tell } = await withEvents()
  await tell(1, 2, 3)
  const { batches, listen } = listener()
  await relayOnce(services, [listen])
  assert.deepEqual(batches, [3])
})

test('an event that a listener refuses delays no other, is retried later, and is finally parked', async () => {
  const { clock, db, services, tell } = await withEvents()
  await tell(1, 2, 3)
  let broken = true
  const { received, listen } = listener((n) => broken && n === 1)
  await relayOnce(services, [listen])
  assert.deepEqual(received, [2, 3])
  assert.deepEqual(await waiting(db), [{ n: 1, tries: 1, error: 'planted', parked: false }])
  assert.equal(await relayOnce(services, [listen]), 0, 'not at once')

  for (let turn = 0; turn < 11; turn++) {
    clock.advance(5 * 3_600_000)
    await relayOnce(services, [listen])
  }
  assert.deepEqual(await waiting(db), [{ n: 1, tries: 12, error: 'planted', parked: true }])
  clock.advance(5 * 3_600_000)
  broken = false
  assert.equal(await relayOnce(services, [listen]), 0, 'what is parked waits for a person')
})

test('one listener’s work is undone if another refuses the event', async () => {
  const { db, services, tell } = await withEvents()
  await tell(1)
  const adds: Listener = (tx) => sendSignal(tx, null, noticed, { n: 9 })
  const { listen } = listener((n) => n === 1)
  await relayOnce(services, [adds, listen])
  assert.deepEqual(
    (await waiting(db)).map(({ n }) => n),
    [1],
  )
})

test('a notification wakes the relay, and events without a notification are found by polling', async () => {
  const { db, services, tell } = await withEvents()
  const { received, listen } = listener()
  const relay = startRelay(services, [listen])
  try {
    const times: number[] = []
    for (let turn = 1; turn <= 6; turn++) {
      const at = performance.now()
      await tell(turn)
      await waitUntil(() => received.length === turn)
      times.push(performance.now() - at)
    }
    // each is sent right after the previous one was received, so polling would take half a second to find it
    const [, ...later] = times
    assert.ok(Math.min(...later) < 400, `${Math.min(...later)} ms is as long as looking by the clock takes`)
    await db.run`
      with told as (
        insert into passing_events (id, account_id, at, type, kind, audited, actor_type, data)
        values (gen_random_uuid(), ${NIL}, now(), 'test.noticed', 'internal', false, 'system', '{"n": 7}') returning id, account_id)
      insert into event_relays (event_id, account_id) select id, account_id from told`
    await waitUntil(() => received.length === 7)
  } finally {
    await relay.stop()
  }
})

test('an old event loses its object and stays where users can see it; signals are never visible', async () => {
  const app = await startApp({ worker: true })
  const account = await anAccount(app)
  const { db } = app.services
  const body = { email: 'lena@customer.example' }
  await app.api('POST', `/accounts/${account.id}/leads`, { token: account.token, body })
  await transaction(db, (tx) => sendSignal(tx, null, noticed, { n: 1 }))
  await waitUntil(async () => (await db.many`select from event_relays`).length === 0)
  const listEvents = (type: string) => db.many<Pick<Event, 'data'>>`select data from told_events where type = ${type}`
  app.clock.advance(89 * DAY_MS)
  await deleteOldEvents(app.services)
  assert.ok((await listEvents('lead.created'))[0]?.data.object)
  assert.equal((await listEvents(noticed.type)).length, 1)
  app.clock.advance(2 * DAY_MS + MONTH_MS)
  await deleteOldEvents(app.services)
  assert.deepEqual(await listEvents('lead.created'), [])
  assert.deepEqual(await listEvents(noticed.type), [])
  const [shown] = await db.many<Pick<Event, 'data'>>`select data from events where type = 'lead.created'`
  assert.equal(shown?.data.object, undefined)
  assert.ok(shown?.data.lines, 'its timeline stays')
})

test('an event deleted before it was relayed is looked for again, parked, listed, and delays no other', async () => {
  const { clock, db, services, tell } = await withEvents()
  await tell(1, 2)
  await asDatabaseOwner(db).run`delete from passing_events where (data ->> 'n')::integer = 1`
  const { received, listen } = listener()
  await relayOnce(services, [listen])
  assert.deepEqual(received, [2])
  for (let turn = 1; turn < 12; turn++) {
    clock.advance(5 * 3_600_000)
    await relayOnce(services, [listen])
  }
  const parked = await db.many<{ name: string; reason: string }>`select p.name, p.reason from ${parkedEvents} p`
  assert.deepEqual(
    parked.map(({ name }) => name),
    ['unknown'],
  )
  assert.match(parked[0]!.reason, /no longer in the database/)
  assert.deepEqual(await eventBacklog(db), { waiting: 0, oldestSeconds: null, parked: 1 })
})
