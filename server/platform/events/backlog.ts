import type { Queryable } from '../database/pool.ts'
import { MOST_COUNTED } from '../metric.ts'

/** `oldestSeconds`: time since the oldest became ready for the relay; null if none is, as postponed ones are not. */
export type EventBacklog = { waiting: number; parked: number; oldestSeconds: number | null }

/** Returns the backlog of the relay, and the parked events. Among untried ones, the relay's first is the oldest. */
export const eventBacklog = async (db: Queryable): Promise<EventBacklog> => {
  const { first, putOffUntil, ...counts } = await db.one<{
    waiting: number
    parked: number
    first: string | null
    putOffUntil: string | null
  }>`
    with waiting as (
      select count(*) as count, min(next_at) filter (where next_at between '0001-01-01' and ${db.now}) as put_off_until,
        (min(event_id::text) filter (where next_at = '-infinity'))::uuid as first
      from (
        select event_id, next_at from event_relays where parked_at is null order by event_id limit ${MOST_COUNTED}) some_of_them)
    select w.count as waiting, w.put_off_until, w.first,
      (select count(*) from (select 1 from event_relays where parked_at is not null limit ${MOST_COUNTED}) some_of_them) as parked
    from waiting w`
  const { oldestSeconds } = await db.one<Pick<EventBacklog, 'oldestSeconds'>>`
    select floor(extract(epoch from ${db.now}::timestamptz - min(since)))::bigint as oldest_seconds
    from (
      select at as since from told_events where id = ${first} and at <= ${db.now}
      union all
      select ${putOffUntil}) ready`
  return { ...counts, oldestSeconds }
}
