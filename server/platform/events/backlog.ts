import type { Queryable } from '../database/pool.ts'
import { sql } from '../database/sql.ts'
import { MOST_COUNTED } from '../measure.ts'
import { toldEvent } from './told-event.ts'

/** `oldestSeconds`: time since the oldest became ready for the relay; null if none is, as postponed ones are not. */
export type EventBacklog = { waiting: number; parked: number; oldestSeconds: number | null }

/** Returns the backlog of the relay, and the parked events. Among untried ones, the relay's first is the oldest. */
export const eventBacklog = (db: Queryable) => db.one<EventBacklog>`
  with waiting as (
      select count(*) as count, min(next_at) filter (where next_at between '0001-01-01' and ${db.now}) as put_off_until,
        min(position) filter (where next_at = '-infinity') as first
      from (
        select position, next_at from event_relays where parked_at is null order by position limit ${MOST_COUNTED}) some_of_them),
    ready as (
      select put_off_until as since from waiting
      union all
      select e.at from waiting w join event_relays r on r.position = w.first and r.parked_at is null
        cross join lateral ${toldEvent(sql`r.event_id`)}
      where e.at <= ${db.now})
  select (select count from waiting) as waiting,
    (select count(*) from (select from event_relays where parked_at is not null limit ${MOST_COUNTED}) some_of_them) as parked,
    (select floor(extract(epoch from ${db.now}::timestamptz - min(since)))::bigint from ready) as oldest_seconds`
