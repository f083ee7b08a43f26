import type { Queryable } from '../database/pool.ts'
import { MOST_COUNTED } from '../metric.ts'
import { declaredQueues, PARKED } from './queue.ts'

/** The first four counts are pg-boss's, taken every few seconds; the rest is current. */
export type QueueBacklog = {
  name: string
  deferred: number
  ready: number
  active: number
  failed: number
  /** Jobs that failed every try are parked; `parked` counts those of this queue. */
  parks: boolean
  parked: number
  /** Jobs that could run, and the age of the oldest of them. */
  due: number
  oldestSeconds: number | null
}

/** Returns every queue of this release, also the one with parked jobs. */
export const queueBacklogs = (db: Queryable) => db.many<QueueBacklog>`
  with given_up as (
    select source_name, count(*) as count
    from (
      select source_name from pgboss.job where name = ${PARKED} and state < 'active' and not blocked
      order by priority desc, created_on limit ${MOST_COUNTED}) first
    group by source_name)
  select q.name, q.deferred_count as deferred, q.ready_count as ready, q.active_count as active,
    q.failed_count as failed, q.dead_letter is not distinct from ${PARKED} as parks, coalesce(g.count, 0) as parked,
    due.count as due, due.seconds as oldest_seconds
  from pgboss.queue q left join given_up g on g.source_name = q.name
    cross join lateral (
      select count(*) as count, floor(extract(epoch from now() - min(start_after)))::bigint as seconds
      from (
        select j.start_after from pgboss.job j
        where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
        order by j.priority desc, j.created_on limit ${MOST_COUNTED}) first) due
  where q.name = any(${declaredQueues()}) order by q.name`

/** Whether the queue is processed; parked jobs are not. */
export const isWorkedOn = ({ name }: QueueBacklog) => name !== PARKED
