import type { Database } from '../database/pool.ts'

/** Milliseconds of blocking after which a process counts as frozen. */
const FROZEN_MS = 5000
/** Least share of processor time that distinguishes a frozen process from one paused from outside. */
const WORKED_PART = 0.1

export type Freezes = { since(moment: number): boolean; stop(): void }

/** Detects whether this process stops responding because of long work. */
export function watchFreezes(frozenMs = FROZEN_MS): Freezes {
  let [at, used] = [performance.now(), process.cpuUsage()]
  let lastUntil = Number.NEGATIVE_INFINITY
  const look = () => {
    const now = performance.now()
    const { user, system } = process.cpuUsage(used)
    const worked = (user + system) / 1000
    if (now - at > frozenMs && worked > (now - at) * WORKED_PART) lastUntil = now
    ;[at, used] = [now, process.cpuUsage()]
  }
  const timer = setInterval(look, frozenMs / 10).unref()
  return {
    since(moment) {
      look()
      return lastUntil > moment
    },
    stop: () => clearInterval(timer),
  }
}

/** The field of a job with the number of times its process froze during it. */
export const FROZE = 'frozeProcess'
const MOST = 2

/**
 * Records that a job failed in a process that froze meanwhile. After the second time it has no tries left: each would
 * block everything else in its process.
 */
export const recordFreeze = (db: Database, queue: string, id: string) => db.run`
  update pgboss.job set
    data = data || jsonb_build_object(${FROZE}::text, coalesce((data ->> ${FROZE})::integer, 0) + 1),
    retry_limit = case when coalesce((data ->> ${FROZE})::integer, 0) + 1 >= ${MOST} then retry_count else retry_limit end
  where name = ${queue} and id = ${id} and state < 'completed'`
