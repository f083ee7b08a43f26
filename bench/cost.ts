import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../server/platform/database/pool.ts'
import { allProcesses, readParent, ticksBelow } from './processes.ts'

// The cost of an answer to the server. Other work on the machine hardly changes its processor time, and does not change
// the number of statements and of pages they read.

/** Costs per answer. `node` and `postgres` are microseconds of processor time, follow-up work included. */
export type Cost = {
  node: number
  postgres: number
  statements: number
  pages: number
  /** Milliseconds that PostgreSQL spent on statements, planning included. */
  atWork: number
  by: Map<string, Share>
  /** Bytes of PostgreSQL's write-ahead log, and by which the database grew. */
  bytes: { log: number; disk: number }
  /** Of each worker of a cluster: processor time in microseconds, and statements sent to it. */
  workers: { postgres: number; statements: number }[]
}

/** One statement's share of the cost. */
export type Share = { text: string; calls: number; pages: number; atWork: number }

const TICK = 10_000

type Counted = { db: Database; pids: () => number[]; workers?: Database[] }

export async function createCounter({ db, pids, workers = [] }: Counted) {
  const postmasters = await Promise.all([db, ...workers].map(postmasterOf))
  const ticks = () => {
    const all = allProcesses()
    const [postgres, ...others] = postmasters.map((postmaster) => ticksBelow(all, postmaster))
    return { node: pids().reduce((sum, one) => sum + ticksBelow(all, one), 0), postgres: postgres!, workers: others }
  }
  return {
    /** Measures `work` and its follow-up work, per answer; `work` returns the number of answers. */
    async count(work: () => Promise<number>): Promise<Cost> {
      await untilFollowedUp(db)
      for (const server of [db, ...workers]) await server.run`select bench.pg_stat_statements_reset()`
      const [before, bytesBefore] = [ticks(), await bytesOf(db)]
      const answers = await work()
      await untilFollowedUp(db)
      const [after, bytesAfter] = [ticks(), await bytesOf(db)]
      const rows = await db.many<Share & { id: string }>`
        select queryid::text as id, min(query) as text, sum(calls)::float8 / ${answers}::integer as calls,
          sum(shared_blks_hit + shared_blks_read)::float8 / ${answers}::integer as pages,
          sum(total_plan_time + total_exec_time) / ${answers}::integer as at_work
        from bench.pg_stat_statements where userid <> current_user::regrole and queryid is not null
        group by queryid`
      const sent = await Promise.all(workers.map(statementsSentTo))
      const sum = (figure: (row: Share) => number) => rows.reduce((all, row) => all + figure(row), 0)
      return {
        node: ((after.node - before.node) * TICK) / answers,
        postgres: ((after.postgres - before.postgres) * TICK) / answers,
        statements: sum(({ calls }) => calls),
        pages: sum(({ pages }) => pages),
        atWork: sum(({ atWork }) => atWork),
        bytes: {
          log: (bytesAfter.log - bytesBefore.log) / answers,
          disk: (bytesAfter.disk - bytesBefore.disk) / answers,
        },
        by: new Map(rows.map(({ id, ...share }) => [id, share])),
        workers: sent.map((statements, at) => ({
          postgres: ((after.workers[at]! - before.workers[at]!) * TICK) / answers,
          statements: statements / answers,
        })),
      }
    },
  }
}

const postmasterOf = async (db: Database) => readParent(await db.value<number>`select pg_backend_pid()`)

const bytesOf = (db: Database) => db.one<Cost['bytes']>`
  select (pg_current_wal_insert_lsn() - '0/0')::float8 as log, pg_database_size(current_database())::float8 as disk`

/** Counts the statements about rows; the others are parts of transactions. */
const statementsSentTo = (worker: Database) => worker.value<number>`
  select coalesce(sum(calls), 0)::bigint from bench.pg_stat_statements
  where userid <> current_user::regrole and query ~* '^\\s*(select|insert|update|delete|with|copy)\\y'
    and query not like '%assign_distributed_transaction_id%'`

const FOLLOW_UP_PATIENCE_MS = 30_000

/** Waits until every event has been handed to its followers. */
export async function untilFollowedUp(db: Database) {
  for (const until = performance.now() + FOLLOW_UP_PATIENCE_MS; performance.now() < until; await sleep(50)) {
    const { left } = await db.one<{ left: number }>`
      select count(*) as left from (select 1 from event_relays where parked_at is null limit 1) waiting`
    if (left === 0) return
  }
  throw new Error('events wait to be relayed for longer than anybody should')
}
