import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../test/support/hostile.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { leastIdAt, newId, timeOfId } from '../database/ids.ts'
import type { Database } from '../database/pool.ts'
import type { Services } from '../services.ts'
import { deleteOldEvents, KEPT_EVENT_DAYS } from './delete-old-events.ts'

const DAY_MS = 86_400_000
const ACCOUNT = newId()
const SEEDS = process.env.SEED ? [Number(process.env.SEED)] : [1, 2]

type StoredEvent = {
  id: string
  at: number
  isShown: boolean
  isPassing: boolean
  isRelayed: boolean
  isDelivered: boolean
}

/** Writes events like `happened()`, with the time in their ids. */
const write = async (db: Database, added: StoredEvent[]) => {
  const events = JSON.stringify(added.map((one) => ({ ...one, at: new Date(one.at).toISOString() })))
  await db.run`
    with given as (
      select id, ${ACCOUNT}::uuid as account_id, at, 'lead.created' as type, 'public' as kind, "isShown" as audited,
        'system' as actor_type, case when "isShown" then 'lead' else 'sale' end as subject_type, n."isPassing" as passes,
        n."isRelayed" as relayed, n."isDelivered" as delivered
      from jsonb_to_recordset(${events}::jsonb)
        as n (id uuid, at timestamptz, "isShown" boolean, "isPassing" boolean, "isRelayed" boolean, "isDelivered" boolean)
    ), shown as (
      insert into events (id, account_id, at, type, kind, audited, actor_type, subject_type, data)
      select id, account_id, at, type, case when passes then kind else 'recorded' end, audited, actor_type, subject_type, '{}'
      from given where audited
    ), passing as (
      insert into passing_events (id, account_id, at, type, kind, audited, actor_type, subject_type, data)
      select id, account_id, at, type, kind, audited, actor_type, subject_type, '{"object": {}}' from given where passes
    ), relays as (
      insert into event_relays (event_id, account_id, parked_at) select id, account_id, at from given where relayed
    )
    insert into outgoing_deliveries (id, account_id, webhook_id, event_id, event, state, created_at)
    select id, account_id, (select id from outgoing_webhooks), id, type, 'failed', at from given where delivered`
}

const makeWebhook = async (db: Database) => {
  await db.run`insert into accounts (id, public_id, created_at, updated_at) values (${ACCOUNT}, 'a', ${db.now}, ${db.now})`
  await db.run`
    insert into outgoing_webhooks (id, account_id, name, url, events, secret_sealed, enabled, created_at, updated_at)
    values (${ACCOUNT}, ${ACCOUNT}, 'w', 'https://w.example', '{*}', '', false, ${db.now}, ${db.now})`
}

const idsIn = async (db: Database, table: 'events' | 'passing_events') => {
  const rows =
    table === 'events'
      ? await db.many<{ id: string }>`select id from events`
      : await db.many<{ id: string }>`select id from passing_events`
  return new Set(rows.map(({ id }) => id))
}

const endOfMonth = (ms: number) => Date.UTC(new Date(ms).getUTCFullYear(), new Date(ms).getUTCMonth() + 1)

for (const seed of SEEDS)
  test(`visible events are kept for three years, others for their own period (seed ${seed})`, async () => {
    const random = seededRandom(seed)
    const upTo = (most: number) => Math.floor(random() * most)
    const oneIn = (many: number) => upTo(many) === 0
    let now = Date.now()
    const db = await freshDatabase({ clock: { now: () => new Date(now) } })
    await makeWebhook(db)
    const all: StoredEvent[] = []

    const happen = async () => {
      const added = Array.from({ length: 1 + upTo(30) }, () => {
        // the clock of a process may be ahead
        const ahead = oneIn(20) ? upTo(150 * DAY_MS) : 0
        const id = leastIdAt(now + ahead).slice(0, -12) + String(upTo(1e12)).padStart(12, '0')
        const isShown = oneIn(2)
        const isPassing = !isShown || oneIn(2)
        const refersTo = isPassing ? upTo(40) : -1
        return { id, at: now, isShown, isPassing, isRelayed: refersTo === 0, isDelivered: refersTo === 1 }
      })
      await write(db, added)
      all.push(...added)
    }
    /** Ends the reference that kept an event. */
    const letGo = async (event: StoredEvent) => {
      if (event.isRelayed) await db.run`delete from event_relays where event_id = ${event.id}`
      if (event.isDelivered) await db.run`delete from outgoing_deliveries where event_id = ${event.id}`
      event.isRelayed = false
      event.isDelivered = false
    }
    const check = async () => {
      const [shown, passing] = [await idsIn(db, 'events'), await idsIn(db, 'passing_events')]
      const before = now - KEPT_EVENT_DAYS * DAY_MS
      const isHeld = ({ isRelayed, isDelivered }: StoredEvent) => isRelayed || isDelivered
      const heldMonths = new Set(all.filter(isHeld).map(({ id }) => endOfMonth(timeOfId(id))))
      for (const event of all) {
        const end = endOfMonth(timeOfId(event.id))
        assert.equal(shown.has(event.id), event.isShown, event.id)
        if (event.isPassing && (event.at >= before || isHeld(event)))
          assert.ok(passing.has(event.id), `${event.id} is gone`)
        if (end <= before && !heldMonths.has(end)) assert.ok(!passing.has(event.id), `${event.id} is still there`)
      }
    }

    for (const end = now + 3 * 365 * DAY_MS; now < end; ) {
      await happen()
      // now and then the product is down for months
      now += oneIn(15) ? upTo(300 * DAY_MS) : upTo(20 * DAY_MS)
      for (const event of all) if ((event.isRelayed || event.isDelivered) && oneIn(20)) await letGo(event)
      const services = { db } as unknown as Services
      await Promise.all([deleteOldEvents(services), deleteOldEvents(services)])
      await check()
    }

    for (const event of all) await letGo(event)
    await deleteOldEvents({ db } as unknown as Services)
    await check()
    const months = async (whole: string) =>
      (await db.many`select from months where whole = ${whole} and until is not null`).length
    assert.ok((await months('passing_events')) <= KEPT_EVENT_DAYS / 30 + 4)
    assert.ok((await months('events')) >= 36)
  })
