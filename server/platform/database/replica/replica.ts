import pg from 'pg'
import type { Logger } from 'pino'
import { Tally } from '../../metric.ts'
import { singleFlight } from '../../single-flight.ts'
import { runWithoutCause } from '../../work-context.ts'
import { createLookUp } from '../look-up.ts'
import { type Database, isDatabaseAway, type Queryable, transactionOnce } from '../pool.ts'
import {
  catchUp,
  type Position,
  type ReplicaState,
  readPosition,
  replicaInWords,
  stateAt,
  Unfit,
} from './replica-state.ts'

/** A streaming replica, used for reads while it is as new as the primary. */
export type Replica = {
  /**
   * Runs `work`, which only reads: in a transaction on the replica, once that has all earlier commits, else on the
   * primary; also if the replica fails meanwhile. So it must have no effect besides its result.
   */
  read<T>(work: (db: Queryable) => Promise<T>): Promise<T>
  /** Returns its current state. */
  look(): Promise<ReplicaState>
  /** Reads by host. */
  readonly reads: Tally<'replica' | 'primary'>
  close(): Promise<void>
}

type Options = {
  primary: Database
  /** Opens it once it follows. */
  takeUp(position: Position): Promise<Database>
  log: Logger
}

/** Creates the replica. It gets no reads before it was checked; while it is unfit they go to the primary. */
export function createReplica({ primary, takeUp, log }: Options): Replica {
  const reads = Tally.of('replica', 'primary')
  const door = createDoor(log)
  const ask = createLookUp<'now', Position>(async () => new Map([['now', await readPosition(primary)]]))
  const position = async () => (await ask('now'))!
  let db: Database | undefined

  async function standing() {
    const at = await position()
    const state = await stateAt(at, async () => {
      db ??= await takeUp(at)
      return db
    })
    return door.found(state)
  }
  const look = singleFlight(() => runWithoutCause(standing))
  const fromPrimary = <T>(work: (db: Queryable) => Promise<T>) => {
    reads.add('primary')
    return work(primary)
  }

  async function read<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    // in the background, without delaying this read
    if (door.isDue()) look().catch(() => {})
    if (!db || !door.isOpen() || isFull(db)) return fromPrimary(work)
    const at = await position()
    try {
      const answer = await transactionOnce(db, async (tx) => {
        await catchUp(tx, at)
        door.kept()
        return work(tx)
      })
      reads.add('replica')
      return answer
    } catch (error) {
      if (!isReplicas(error)) throw error
      if (error instanceof Unfit) door.missed(error.state)
      // one lost connection proves little about the others
      else if (isDatabaseAway(error)) look().catch(() => {})
      else log.info({ error: (error as Error).message }, 'what failed on the replica is read from the primary')
      return fromPrimary(work)
    }
  }

  const close = async () => {
    await look.underWay()
    await db?.close()
  }
  return { read, look, reads, close }
}

/** Whether all connections are used; a read then goes to the primary instead of waiting. */
const isFull = ({ pool }: Database) => pool.idleCount === 0 && pool.totalCount >= pool.options.max

const STATEMENT_TIMEOUT = '57014'

/** Whether the primary may succeed: not for refusals, invalid statements, or ones that would take as long there. */
const isReplicas = (error: unknown) =>
  error instanceof Unfit ||
  isDatabaseAway(error) ||
  (error instanceof pg.DatabaseError && error.code !== STATEMENT_TIMEOUT)

/** Consecutive reads that find it behind before it is paused; one far behind is paused at once. */
const MISSES = 3
const FAR_SECONDS = 5
/** Pauses in milliseconds, doubled each time; reset once the replica has been usable for a while. */
const PAUSES = { first: 2000, longest: 60_000, forgottenAfter: 120_000 }

/** Decides whether reads go to the replica. A change is logged once. */
function createDoor(log: Logger) {
  let status: ReplicaState['status'] | undefined
  let misses = 0
  let pauseMs = 0
  let shutUntil = 0
  let openedAt = 0

  function found(state: ReplicaState) {
    const [before, now] = [status, performance.now()]
    status = state.status
    misses = 0
    if (status === 'follows') {
      if (before === status) return state
      openedAt = now
      log.info('the replica is read from')
      return state
    }
    const isFirst = before === undefined || (before === 'follows' && now - openedAt > PAUSES.forgottenAfter)
    pauseMs = isFirst ? PAUSES.first : Math.min(Math.max(pauseMs * 2, PAUSES.first), PAUSES.longest)
    shutUntil = now + pauseMs
    if (before !== status) {
      const { finding, advice } = replicaInWords(state)
      log.warn({ replica: status, advice }, `everything is read from the primary, because of the replica: ${finding}`)
    }
    return state
  }
  return {
    found,
    isOpen: () => status === 'follows',
    isDue: () => status !== 'follows' && performance.now() >= shutUntil,
    kept() {
      misses = 0
    },
    missed(state: ReplicaState) {
      misses += 1
      // a read begun before the pause proves nothing new
      if (status !== 'follows') return
      if (state.status !== 'behind' || misses >= MISSES || (state.lagSeconds ?? 0) >= FAR_SECONDS) found(state)
    },
  }
}
