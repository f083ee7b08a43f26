import { setTimeout as sleep } from 'node:timers/promises'
import { StartRefusal } from '../config/start-refusal.ts'
import { countInWords } from '../format-values.ts'
import { hasCode } from './database-errors.ts'
import { type Database, heldByLock } from './pool.ts'

export type Patience = {
  /** Longest wait for a table in milliseconds: statements queued behind a waiting one wait as well. */
  biteMs: number
  /** Pause in which those can run. */
  pauseMs: number
  /** Total time of the tries. */
  totalMs: number
}

export const PATIENCE: Patience = { biteMs: 500, pauseMs: 1000, totalMs: 120_000 }

type Waiting = {
  db: Pick<Database, 'one' | 'maybe' | 'log'>
  /** Process id of the waiting backend. */
  pid: number
  migration: string
  patience: Patience
}

/**
 * Runs `work`, whose connection waits for locks only briefly, repeatedly until it succeeds. Refuses, naming the holder,
 * after the total time.
 */
export async function withBriefLocks<T>(waiting: Waiting, work: () => Promise<T>): Promise<T> {
  const { db, pid, migration, patience } = waiting
  const until = Date.now() + patience.totalMs
  let inTheWay: Holder | undefined
  for (let tries = 1; ; tries++) {
    const watch = setInterval(async () => {
      // naming the holder is optional
      inTheWay = (await findHolder(db, pid).catch(() => undefined)) ?? inTheWay
    }, patience.biteMs / 2)
    try {
      return await work()
    } catch (error) {
      if (!heldByLock(error) && !isDeadlock(error)) throw error
      if (Date.now() >= until) throw refused(waiting, inTheWay)
    } finally {
      clearInterval(watch)
    }
    if (tries === 1)
      db.log.info({ migration, inTheWay }, 'a migration waits for a lock, and lets others pass meanwhile')
    await sleep(patience.pauseMs)
  }
}

const isDeadlock = (error: unknown) => hasCode(error, '40P01')

type Holder = {
  table: string | null
  pid: number
  role: string | null
  program: string
  state: string | null
  seconds: number | null
}

const findHolder = (db: Waiting['db'], pid: number) =>
  db.maybe<Holder>`
    select l.relation::regclass::text as table, a.pid, a.usename::text as role, a.application_name as program, a.state,
      floor(extract(epoch from clock_timestamp() - a.xact_start))::int as seconds
    from pg_locks l, unnest(pg_blocking_pids(l.pid)) holder join pg_stat_activity a on a.pid = holder
    where l.pid = ${pid} and not l.granted limit 1`

function refused({ migration, patience }: Waiting, holder: Holder | undefined): StartRefusal {
  const what = holder?.table ? `lock ${holder.table}` : 'have a lock it needs'
  const within = countInWords(Math.round(patience.totalMs / 1000), 'second')
  return new StartRefusal(
    `Migration ${migration} could not ${what} within ${within}: ${holder ? describeHolder(holder) : 'others held it each time'}. Nothing was lost: what came before it stays, and the release before goes on working.`,
  )
}

function describeHolder({ pid, role, program, state, seconds }: Holder) {
  const who = [
    role && `role ${role}`,
    program,
    state,
    seconds && `in its transaction for ${countInWords(seconds, 'second')}`,
  ]
  const about = who.filter(Boolean).join(', ')
  return `session ${pid}${about && ` (${about})`} holds it. Wait until that is done, or end it by "select pg_terminate_backend(${pid})", and start again`
}
