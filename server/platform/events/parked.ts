import { asUuid } from '../database/ids.ts'
import type { Queryable, Transaction } from '../database/pool.ts'
import { sql } from '../database/sql.ts'
import { EVENTS } from './emit-event.ts'

/** Events that are no longer retried, listed with parked jobs: never their contents. */
export const parkedEvents = sql`(
  select r.event_id as id, 'event' as kind, coalesce(e.type, 'unknown') as name, r.error as reason,
    r.tries::integer as tries, r.parked_at as created_at, null::timestamptz as kept_until
  from event_relays r left join (
    select id, type from told_events
    where id = any(array(select event_id from event_relays where parked_at is not null))) e on e.id = r.event_id
  where r.parked_at is not null)`

/** Returns why the last one was parked; undefined if none is. */
export const lastReason = async (db: Queryable): Promise<string | null | undefined> =>
  (
    await db.maybe<{ error: string | null }>`
      select error from event_relays where parked_at is not null order by parked_at desc limit 1`
  )?.error

/** Queues parked events for the relay with all tries again; returns their ids. */
export async function retryParkedEvents(tx: Transaction, id?: string): Promise<string[]> {
  const those = id === undefined ? sql`` : sql`and event_id = ${asUuid(id)}`
  const retried = await tx.many<{ id: string }>`
    update event_relays set parked_at = null, tries = 0, next_at = ${tx.now}
    where parked_at is not null ${those} returning event_id as id`
  if (retried.length > 0) tx.afterCommit(() => tx.database.notify(EVENTS))
  return retried.map((one) => one.id)
}
