import { setTimeout as sleep } from 'node:timers/promises'
import type { Queue as BossQueue, ConstructorOptions, PgBoss, SendOptions, StopOptions } from 'pg-boss'
import pgBoss from 'pg-boss/package.json' with { type: 'json' }
import type { Logger } from 'pino'
import type { Database, Transaction } from '../database/pool.ts'
import { timeStatement } from '../database/time-statement.ts'
import { originsOfWork } from '../work-context.ts'
import { FROZE } from './freezes.ts'

type Options = Omit<BossQueue, 'name'>

/** A queue: its name, and the type of its jobs' data. Each room declares its own; `work.ts` lists them all. */
export type Queue<Data extends object = object> = {
  name: string
  options: Options
  /** Never set: only for the type. */
  data?: Data
}

/**
 * A failed job is retried after 1, 2, 4 … s, fifteen minutes at most, for about a day, then parked; one that froze its
 * process is parked the second time.
 */
const RETRIES = { retryLimit: 100, retryDelay: 1, retryBackoff: true, retryDelayMax: 900 }

/** The queue of jobs that failed every try, for an administrator. */
export const PARKED = 'parked'

/** Queues of this release; a database may also have those of a former one, whose jobs are no longer processed. */
const declared = new Set<string>([PARKED])
export const declaredQueues = (): string[] => [...declared]

/** Declares a queue. A job's handler must be idempotent: it may run twice. */
export function queue<Data extends object>(
  name: string,
  options: Options = { deadLetter: PARKED, ...RETRIES },
): Queue<Data> {
  declared.add(name)
  return { name, options }
}

export type Jobs = {
  /** pg-boss, loaded and started on first use. */
  boss(): Promise<PgBoss>
  /** Stops permanently. */
  stop(options: StopOptions): Promise<void>
  /** Adds a job in the caller's transaction: it exists only if the change commits. */
  add<Data extends object>(
    tx: Transaction,
    queue: Queue<Data>,
    data: NoInfer<Data>,
    options?: SendOptions,
  ): Promise<void>
  /** Like `add`, unless the exclusive queue has another job with this key. Returns whether it was added. */
  addOnce<Data extends object>(
    tx: Transaction,
    queue: Queue<Data>,
    data: NoInfer<Data>,
    singletonKey: string,
  ): Promise<boolean>
  /** Like `add`, for many, in one statement. */
  addAll<Data extends object>(
    tx: Transaction,
    queue: Queue<Data>,
    data: NoInfer<Data>[],
    options?: Pick<SendOptions, 'priority'>,
  ): Promise<void>
}

export function createJobs(url: string, log: Logger): Jobs {
  let starting: Promise<PgBoss> | undefined
  const boss = () => {
    starting ??= startBoss(url, log, {
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
      useListenNotify: true,
      // Both change the schema, which requires its owner; `prepareQueues` does it at the start.
      migrate: false,
      reindex: false,
    }).catch((error) => {
      starting = undefined
      throw error
    })
    return starting
  }
  const send = async (tx: Transaction, { name }: Queue, data: object, options: SendOptions) =>
    (await boss()).send(name, withOrigins(data), { ...options, db: transactionExecutor(tx) })
  return {
    boss,
    async stop(options) {
      // after a failed start there is nothing to stop
      const started = await starting?.catch(() => undefined)
      await started?.stop(options)
    },
    async add(tx, queue, data, options = {}) {
      await send(tx, queue, data, options)
    },
    addOnce: async (tx, queue, data, singletonKey) => (await send(tx, queue, data, { singletonKey })) !== null,
    async addAll(tx, { name }, data, options = {}) {
      if (data.length === 0) return
      const jobs = data.map((one) => ({ data: withOrigins(one), ...options }))
      await (await boss()).insert(name, jobs, { db: transactionExecutor(tx) })
    },
  }
}

async function startBoss(url: string, log: Logger, options: ConstructorOptions): Promise<PgBoss> {
  const { Boss } = await import('./boss.ts')
  const boss = new Boss(url, log, options)
  try {
    return await boss.start()
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
}

/** The field of a job with its origins; only while requests are traced. */
const ORIGINS = 'tracedFrom'

function withOrigins<Data extends object>(data: Data): Data {
  const origins = originsOfWork()
  return origins.length > 0 ? { ...data, [ORIGINS]: origins } : data
}

/** Separates a job's data from its origins. */
export function withoutOrigins(carried: object): { data: object; origins: string[] } {
  const { [ORIGINS]: origins = [], [FROZE]: _, ...data } = carried as { [ORIGINS]?: string[]; [FROZE]?: number }
  return { data, origins }
}

/** Milliseconds to wait for an index that a newer pg-boss requires. */
const INDEX_PATIENCE_MS = 60_000

/**
 * Updates the queue's own tables, with the rights of their owner, which the running product lacks. One statement if
 * everything is current.
 */
export async function prepareQueues(db: Database, queues: Queue[]): Promise<void> {
  if (await isPrepared(db, queues)) return
  const boss = await startBoss(db.url, db.log, { supervise: false, schedule: false, bamIntervalSeconds: 10 })
  try {
    await createQueues(boss, queues)
    for (const until = Date.now() + INDEX_PATIENCE_MS; (await isBuilding(boss)) && Date.now() < until; )
      await sleep(200)
  } finally {
    await boss.stop({ graceful: false })
  }
}

async function isPrepared(db: Database, queues: Queue[]) {
  if (!(await db.value<boolean>`select to_regclass('pgboss.version') is not null`)) return false
  const names = [PARKED, ...queues.map(({ name }) => name)]
  return db.value<boolean>`
    select (select version from pgboss.version) = ${pgBoss.pgboss.schema}
      and (select count(*) from pgboss.queue where name = any(${names})) = ${names.length}
      and not exists (select from pgboss.bam where status::text in ('pending', 'in_progress'))`
}

const isBuilding = async (boss: PgBoss) =>
  (await boss.getBamStatus()).some(({ status }) => status === 'pending' || status === 'in_progress')

/** Runs pg-boss's statements in the transaction. */
export const transactionExecutor = (tx: Transaction) => ({
  executeSql: (text: string, values?: unknown[]) =>
    timeStatement('update pgboss.job', () => tx.client.query(text, values)),
})

export async function createQueues(boss: PgBoss, queues: Queue[]) {
  await boss.createQueue(PARKED)
  const known = new Set((await boss.getQueues()).map(({ name }) => name))
  for (const { name, options } of queues)
    if (!known.has(name)) await boss.createQueue(name, { heartbeatSeconds: 10, notify: true, ...options })
}
