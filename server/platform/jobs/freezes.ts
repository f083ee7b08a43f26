import type { Database } from '../database/pool.ts'

/** A process that takes so long over one thing answers nobody meanwhile. */
const FROZEN_MS = 5000
/** A process that was paused from outside did not work; one that froze did, if only with a part of a busy machine. */
const WORKED_PART = 0.1

export type Freezes = { since(moment: number): boolean; stop(): void }

/** Watches whether this process stops answering because something in it takes too long. */
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

/** The field of a job with the number of times its process froze while it ran. */
export const FROZE = 'frozeProcess'
const MOST = 2

/**
 * Keeps that a job failed in a process that froze meanwhile. After the second time it has no tries left: each would stop
 * all that its process does for others.
 */
export const keepFreeze = (db: Database, queue: string, id: string) => db.run`
  update pgboss.job set
    data = data || jsonb_build_object(${FROZE}::text, coalesce((data ->> ${FROZE})::integer, 0) + 1),
    retry_limit = case when coalesce((data ->> ${FROZE})::integer, 0) + 1 >= ${MOST} then retry_count else retry_limit end
  where name = ${queue} and id = ${id} and state < 'completed'`
