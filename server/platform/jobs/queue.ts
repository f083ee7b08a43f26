import { setTimeout as sleep } from 'node:timers/promises'
import { type Queue as BossQueue, PgBoss, type SendOptions } from 'pg-boss'
import pgBoss from 'pg-boss/package.json' with { type: 'json' }
import type { Logger } from 'pino'
import type { Database, Transaction } from '../database/pool.ts'

type Options = Omit<BossQueue, 'name'>

/** A queue: its name, and the type of what its jobs carry. Each room declares its own; `work.ts` lists them all. */
export type Queue<Data extends object = object> = {
  name: string
  options: Options
  /** Never set: it carries the type alone. */
  data?: Data
}

/** A job that fails is tried again after 1, 2, 4 … s, fifteen minutes at most, for about a day, then parked. */
const RETRIES = { retryLimit: 100, retryDelay: 1, retryBackoff: true, retryDelayMax: 900 }

/** Where jobs rest that failed every try, until somebody looks. */
export const PARKED = 'parked'

/** Declares a queue. A job's handler must be idempotent: it may run twice. */
export const queue = <Data extends object>(
  name: string,
  options: Options = { deadLetter: PARKED, ...RETRIES },
): Queue<Data> => ({ name, options })

export type Jobs = {
  boss: PgBoss
  /** Adds a job in the caller's transaction: there is a job exactly if the change commits. */
  add<Data extends object>(
    tx: Transaction,
    queue: Queue<Data>,
    data: NoInfer<Data>,
    options?: SendOptions,
  ): Promise<void>
  /** The same for many, in one statement. */
  addAll<Data extends object>(tx: Transaction, queue: Queue<Data>, data: NoInfer<Data>[]): Promise<void>
}

export function createJobs(url: string, log: Logger): Jobs {
  const boss = new PgBoss({
    connectionString: url,
    // they mostly ask whether there is anything to do, which is answered in no time
    max: 2,
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
    async add(tx, { name }, data, options = {}) {
      await boss.send(name, data, { ...options, db: within(tx) })
    },
    async addAll(tx, { name }, data) {
      if (data.length > 0)
        await boss.insert(
          name,
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
export async function prepareQueues(db: Database, queues: Queue[]): Promise<void> {
  if (await isPrepared(db, queues)) return
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
    await createQueues(boss, queues)
    for (const until = Date.now() + INDEX_PATIENCE_MS; (await isBuilding(boss)) && Date.now() < until; )
      await sleep(200)
  } finally {
    await boss.stop({ graceful: false })
  }
}

async function isPrepared(db: Database, queues: Queue[]) {
  const present = await db.one<{ found: boolean }>`select to_regclass('pgboss.version') is not null as found`
  if (!present.found) return false
  const names = [PARKED, ...queues.map(({ name }) => name)]
  const { ready } = await db.one<{ ready: boolean }>`
    select (select version from pgboss.version) = ${pgBoss.pgboss.schema}
      and (select count(*) from pgboss.queue where name = any(${names})) = ${names.length}
      and not exists (select from pgboss.bam where status::text in ('pending', 'in_progress')) as ready`
  return ready
}

const isBuilding = async (boss: PgBoss) =>
  (await boss.getBamStatus()).some(({ status }) => status === 'pending' || status === 'in_progress')

const within = (tx: Transaction) => ({
  executeSql: (text: string, values?: unknown[]) => tx.client.query(text, values),
})

export async function createQueues(boss: PgBoss, queues: Queue[]) {
  await boss.createQueue(PARKED)
  const known = new Set((await boss.getQueues()).map(({ name }) => name))
  for (const { name, options } of queues)
    if (!known.has(name)) await boss.createQueue(name, { heartbeatSeconds: 10, notify: true, ...options })
}
