import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss, type SendOptions } from 'pg-boss'
import pgBoss from 'pg-boss/package.json' with { type: 'json' }
import type { Logger } from 'pino'
import type { By } from '../audit.ts'
import type { LinkRequest } from '../../program/auth/link-requests.ts'
import type { Database, Transaction } from '../database/pool.ts'

/** The queues and what their jobs carry. A job's handler is idempotent: it may run twice. */
export type JobData = {
  mail: { kind: string; id: string; [more: string]: unknown }
  'link-request': LinkRequest
  /** `poll`: a look that comes again by itself, so it is not tried again. */
  'pay-out': { payoutId: string; poll?: boolean }
  'provider-event': { eventId: string }
  'waiting-sales': { accountId: string; currency: string | null; by: By }
  /** A stroke of one of the clocks in schedule.ts. */
  clock: { name: string }
}
export type Queue = keyof JobData

export type Jobs = {
  boss: PgBoss
  /** Adds a job in the caller's transaction: there is a job exactly if the change commits. */
  add<Q extends Queue>(tx: Transaction, queue: Q, data: JobData[Q], options?: SendOptions): Promise<void>
  /** The same for many, in one statement. */
  addAll<Q extends Queue>(tx: Transaction, queue: Q, data: JobData[Q][]): Promise<void>
}

export const queues: Queue[] = ['mail', 'link-request', 'pay-out', 'provider-event', 'waiting-sales', 'clock']
/** Where jobs rest that failed every try, until somebody looks. */
export const PARKED = 'parked'

/** A job that fails is tried again after 1, 2, 4 … s, fifteen minutes at most, for about a day, then parked. */
const RETRIES = { retryLimit: 100, retryDelay: 1, retryBackoff: true, retryDelayMax: 900 }

/** One job of a clock at a time, the next stroke being its next try; a run that takes long says that it lives. */
const CLOCK = { policy: 'exclusive', retryLimit: 0, expireInSeconds: 6 * 3600, deleteAfterSeconds: 24 * 3600 } as const

export function createJobs(url: string, log: Logger): Jobs {
  const boss = new PgBoss({
    connectionString: url,
    max: 4,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    useListenNotify: true,
    // Both change the schema, which is its owner's; `prepareQueues` does it at the start.
    migrate: false,
    reindex: false,
  })
  boss.on('error', (error) => log.warn({ error: error.message }, 'the job queue reports an error'))
  return {
    boss,
    async add(tx, queue, data, options = {}) {
      await boss.send(queue, data, { ...options, db: within(tx) })
    },
    async addAll(tx, queue, data) {
      if (data.length > 0)
        await boss.insert(
          queue,
          data.map((one) => ({ data: one })),
          { db: within(tx) },
        )
    },
  }
}

/** How long an index that a newer pg-boss wants is waited for. */
const INDEX_PATIENCE_MS = 60_000

/**
 * Brings the queue's own tables up to date, with the rights of whoever owns them: the product itself may not while it
 * runs. Where all is as this release wants it that is one statement.
 */
export async function prepareQueues(db: Database): Promise<void> {
  if (await isPrepared(db)) return
  const boss = new PgBoss({
    connectionString: db.url,
    max: 2,
    supervise: false,
    schedule: false,
    bamIntervalSeconds: 10,
  })
  boss.on('error', (error) => db.log.warn({ error: error.message }, 'the job queue reports an error'))
  try {
    await boss.start()
    await createQueues(boss)
    for (const until = Date.now() + INDEX_PATIENCE_MS; (await isBuilding(boss)) && Date.now() < until; )
      await sleep(200)
  } finally {
    await boss.stop({ graceful: false })
  }
}

async function isPrepared(db: Database) {
  const present = await db.one<{ found: boolean }>`select to_regclass('pgboss.version') is not null as found`
  if (!present.found) return false
  const { ready } = await db.one<{ ready: boolean }>`
    select (select version from pgboss.version) = ${pgBoss.pgboss.schema}
      and (select count(*) from pgboss.queue where name = any(${[PARKED, ...queues]})) = ${queues.length + 1}
      and not exists (select from pgboss.bam where status::text in ('pending', 'in_progress')) as ready`
  return ready
}

const isBuilding = async (boss: PgBoss) =>
  (await boss.getBamStatus()).some(({ status }) => status === 'pending' || status === 'in_progress')

const within = (tx: Transaction) => ({
  executeSql: (text: string, values?: unknown[]) => tx.client.query(text, values),
})

export async function createQueues(boss: PgBoss) {
  await boss.createQueue(PARKED)
  const known = new Set((await boss.getQueues()).map((queue) => queue.name))
  for (const queue of queues)
    if (!known.has(queue))
      await boss.createQueue(queue, {
        heartbeatSeconds: 10,
        notify: true,
        ...(queue === 'clock' ? CLOCK : { deadLetter: PARKED, ...RETRIES }),
      })
}
