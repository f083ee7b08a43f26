import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { replicaStates } from '#contract/system.ts'
import { countInWords } from '../../format-values.ts'
import { type Database, type Queryable, type Transaction, transactionOnce } from '../pool.ts'
import { compileSql, sql } from '../sql.ts'

/** The primary's position in the log, and the identity of its server and database. */
export type Position = { lsn: string; timeline: number; server: string; databaseId: string }

/**
 * A replica's state relative to a position of its primary: it `follows`, or is `behind`; it was `promoted` and accepts
 * its own writes; it follows `elsewhere`, a server that is no longer the primary; it is `foreign`, another database; or
 * `away`.
 */
export type ReplicaState = {
  status: (typeof replicaStates)[number]
  /** null if unknown. */
  lagSeconds: number | null
  /** Replay is paused by an operator, while it still receives. */
  isPaused?: boolean
  cause?: Error
}

const FOLLOWS: ReplicaState = { status: 'follows', lagSeconds: 0 }

/** Thrown if a replica is not up to date. */
export class Unfit extends Error {
  readonly state: ReplicaState
  constructor(state: ReplicaState) {
    super(`the replica is ${state.status}`)
    this.state = state
  }
}

const stateOf = (error: unknown): ReplicaState =>
  error instanceof Unfit ? error.state : { status: 'away', lagSeconds: null, cause: error as Error }

/** Returns the replica's state relative to a position, also if `open` fails. */
export async function stateAt(position: Position, open: () => Promise<Database>): Promise<ReplicaState> {
  try {
    await transactionOnce(await open(), (tx) => catchUp(tx, position))
    return FOLLOWS
  } catch (error) {
    return stateOf(error)
  }
}

/** Returns a position after all acknowledged commits, which are flushed before they are acknowledged. */
export const readPosition = (primary: Queryable) => primary.one<Position>`
  select flushed::text as lsn, ('x' || left(pg_walfile_name(flushed), 8))::bit(32)::integer as timeline,
    (select system_identifier::text from pg_control_system()) as server, d.oid::text as database_id
  from pg_current_wal_flush_lsn() flushed, pg_database d
  where d.datname = current_database()`

/** Milliseconds to wait for a replica; one that keeps up takes one or two. */
const PATIENCE_MS = 50
/** Milliseconds for an answer that only reads the server's memory. */
const ANSWER_MS = 500

/** Ensures that this transaction on the replica reads data as new as `position`; else throws `Unfit`. */
export async function catchUp({ client }: Transaction, position: Position): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 8)) {
    const state = await standingTo(position, client)
    if (state.status === 'follows') return
    if (state.status !== 'behind' || performance.now() + pauseMs > until) throw new Unfit(state)
    await sleep(pauseMs)
  }
}

type Standing = {
  same: boolean
  standby: boolean
  beside: boolean
  reached: boolean
  seconds: number | null
  paused: boolean
}

/**
 * Compares positions. They are only comparable within a timeline, i.e. since the same promotion. The control file shows
 * a new one late: until then the replica is not used, which is safe.
 */
async function standingTo({ lsn, timeline, server, databaseId }: Position, client: PoolClient): Promise<ReplicaState> {
  const statement = sql`
    select c.system_identifier::text = ${server} and d.oid = ${databaseId}::oid as same,
      pg_is_in_recovery() as standby, r.min_recovery_end_timeline = ${timeline} as beside,
      coalesce(pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn, false) as reached,
      greatest(0, extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()))::float8 as seconds,
      case when pg_is_in_recovery() then pg_get_wal_replay_pause_state() <> 'not paused' else false end as paused
    from pg_control_system() c, pg_control_recovery() r, pg_database d
    where d.datname = current_database()`
  const query = { ...compileSql(statement), query_timeout: ANSWER_MS }
  const { rows } = await client.query<Standing>(query)
  const { same, standby, beside, reached, seconds, paused } = rows[0]!
  if (!same) return { status: 'foreign', lagSeconds: null }
  if (!standby) return { status: 'promoted', lagSeconds: null }
  if (!beside) return { status: 'elsewhere', lagSeconds: null }
  return reached ? FOLLOWS : { status: 'behind', lagSeconds: seconds, isPaused: paused }
}

/** Describes the state for the operator, with advice. */
export function replicaInWords({ status, lagSeconds, isPaused, cause }: ReplicaState): {
  finding: string
  advice: string
} {
  switch (status) {
    case 'follows':
      return { finding: 'It shows what was committed a moment ago.', advice: '' }
    case 'behind':
      return {
        // its last visible transaction may be recent while others are missing
        finding: `It is ${lagSeconds ? `${countInWords(Math.ceil(lagSeconds), 'second')} behind` : 'behind'}.`,
        advice: `See pg_stat_replication on the primary and pg_stat_wal_receiver on the replica: ${isPaused ? 'its replay is paused, and goes on by select pg_wal_replay_resume() there' : 'it may be cut off, or held up by a long query'}.`,
      }
    case 'elsewhere':
      return {
        finding: 'It follows another server than the one DATABASE_URL leads to, as after a failover.',
        advice: 'Have it follow the present primary (primary_conninfo), or make it anew.',
      }
    case 'promoted':
      return { finding: 'It is not a standby: it takes writes of its own.', advice: GIVE_A_STANDBY }
    case 'foreign':
      return { finding: 'It is not a copy of the database that DATABASE_URL leads to.', advice: GIVE_A_STANDBY }
    case 'away':
      return {
        finding: `It doesn’t respond: ${cause?.message ?? 'no reason was given'}`,
        advice: 'Start it, or correct host, port, user, password and name in DATABASE_REPLICA_URL.',
      }
  }
}

const GIVE_A_STANDBY = 'Give DATABASE_REPLICA_URL of a standby that streams from it, or leave it out.'
