import type { Queryable } from '../database/pool.ts'
import { sql } from '../database/sql.ts'
import { MOST_COUNTED } from '../measure.ts'
import { toldEvent } from './told-event.ts'

/** `oldestSeconds`: how long the oldest could have been relayed; null while nothing could, as what is put off cannot yet. */
export type EventBacklog = { waiting: number; parked: number; oldestSeconds: number | null }

/** How far behind the relay is, and what was given up. Of what was never tried, the first in the order of the relay is the oldest. */
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
