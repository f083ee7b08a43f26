import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnableClock } from '../../../test/support/app.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { leastIdAt, NIL, newId } from '../database/ids.ts'
import { MOST_COUNTED } from '../metric.ts'
import { eventBacklog } from './backlog.ts'
import { lastReason } from './parked.ts'

const clock = turnableClock()

type Relay = { at?: number; nextAt?: number; parkedAt?: number; count?: number }

const idsAt = (at: Date, count: number) =>
  Array.from({ length: count }, () => leastIdAt(at.getTime()).slice(0, 14) + newId().slice(14))

/** Creates events of these ages in seconds, waiting or parked. */
async function withRelays(...relays: Relay[]) {
  const db = await freshDatabase({ clock })
  const ago = (seconds?: number) => (seconds === undefined ? null : new Date(db.now.getTime() - seconds * 1000))
  for (const { at = 0, nextAt, parkedAt, count = 1 } of relays)
    await db.run`
      with told as (
        insert into passing_events (id, account_id, at, type, kind, audited, actor_type, data)
        select id, ${NIL}, ${ago(at)}, 'test.noticed', 'internal', false, 'system', '{}'
        from unnest(${idsAt(ago(at)!, count)}::uuid[]) as id returning id, account_id)
      insert into event_relays (event_id, account_id, next_at, parked_at, error)
      select id, account_id, coalesce(${ago(nextAt)}::timestamptz, '-infinity'), ${ago(parkedAt)}, 'planted ' || ${count}::integer from told`
  return db
}

const backlogOf = async (...relays: Relay[]) => eventBacklog(await withRelays(...relays))

test('an empty backlog has no oldest event', async () => {
  assert.deepEqual(await backlogOf(), { waiting: 0, parked: 0, oldestSeconds: null })
})

test('a postponed event is not late before its time, and afterwards only by the time since then', async () => {
  assert.deepEqual(await backlogOf({ at: 900, nextAt: -60 }), { waiting: 1, parked: 0, oldestSeconds: null })
  assert.deepEqual(await backlogOf({ at: 900, nextAt: 30 }), { waiting: 1, parked: 0, oldestSeconds: 30 })
  const mixed = await backlogOf({ at: 900, nextAt: 5 }, { at: 70 }, { at: 10 })
  assert.deepEqual(mixed, { waiting: 3, parked: 0, oldestSeconds: 70 })
})

test('waiting events are visible however many are parked', async () => {
  const db = await withRelays({ at: 9000, parkedAt: 600, count: MOST_COUNTED + 1 }, { at: 70, count: 2 })
  assert.deepEqual(await eventBacklog(db), { waiting: 2, parked: MOST_COUNTED, oldestSeconds: 70 })
  assert.equal(await lastReason(db), `planted ${MOST_COUNTED + 1}`)
})

test('counting stops at the maximum', async () => {
  const { waiting } = await backlogOf({ at: 70, count: MOST_COUNTED + 1 })
  assert.equal(waiting, MOST_COUNTED)
})
