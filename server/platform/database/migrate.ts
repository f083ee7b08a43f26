import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { StartRefusal } from '../config/start-refusal.ts'
import { applyBesideOthers, applyWithin } from './apply-migration.ts'
import { BASELINE, CHECKOUT_0_1_1, countAsBaseline } from './baseline.ts'
import { PATIENCE, type Patience } from './brief-locks.ts'
import { dropParts } from './cluster/parts.ts'
import { isSpread, spreadTables } from './cluster/spread.ts'
import { type Migration, migrationNames, readMigration } from './migration-files.ts'
import { type Database, type Queryable, type Transaction, transaction } from './pool.ts'

/** An arbitrary lock key, locked while migrating or restoring. */
export const MIGRATING = 7_281_954

/** The progress of a pending migration: `running` is reported every half minute of a long one. */
export type MigrationProgress = {
  status: 'running' | 'applied'
  migration: string
  number: number
  of: number
  ms: number
}

type Options = {
  /** Folder of other migrations than this release's. */
  folder?: URL
  /** The last one to apply: an earlier release's. */
  upTo?: string
  /** Runs before the first one is applied to a database migrated before. An error leaves everything unchanged. */
  before?: (pending: string[]) => Promise<void>
  patience?: Patience
  /** Called with the progress for a database migrated before, in addition to the log. */
  tell?: ((progress: MigrationProgress) => void) | undefined
}

/**
 * Migrates the schema to the newest migration, forward only, one process at a time. Each is committed with its row in
 * `migrations`, or repeated from its beginning by the next start, while others continue reading and writing. An empty
 * database gets them all in one transaction, and so does a given one. `db` has two connections or more.
 * Refuses a database that a newer release has migrated, or whose applied files were edited since.
 */
export async function migrateSchema(db: Database | Transaction, options: Options = {}): Promise<void> {
  const names = await migrationNames(options.folder, options.upTo)
  if (await isAt(db, names)) return
  if (db.kind === 'transaction') return applyPending(db, names, options, (migration) => applyWithin(db, migration))
  const { patience = PATIENCE } = options
  await alone(db, async (client, pid) => {
    if (!(await wasMigrated(db))) return transaction(db, (tx) => migrateSchema(tx, options))
    await applyPending(db, names, options, (migration) => applyBesideOthers(db, { client, pid, patience }, migration))
  })
}

async function applyPending(
  db: Database | Transaction,
  names: string[],
  { folder, before, tell = () => {} }: Options,
  apply: (migration: Migration) => Promise<void>,
) {
  const { log } = db.kind === 'database' ? db : db.database
  await db.run`
    create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz(3) not null)`
  const applied = await readApplied(db, names)
  if (applied.has(BASELINE)) await noteBaseline(db, applied.get(BASELINE)!)
  const pending = await findPending(applied, names, folder)
  if (pending.length === 0) return
  const isNew = applied.size === 0
  if (!isNew) {
    log.info({ migrations: pending.length }, 'the schema has to be brought up to this release')
    await before?.(pending.map(({ name }) => name))
  }
  const beganAt = performance.now()
  const spread = db.kind === 'database' && (await isSpread(db)) ? db : null
  if (spread) await dropParts(spread)
  for (const [at, migration] of pending.entries()) {
    const report = (progress: MigrationProgress) => {
      if (isNew) return
      const { status, ...fields } = progress
      log.info(fields, status === 'applied' ? 'a migration was applied' : 'a migration is still running')
      tell(progress)
    }
    await reported(migration.name, { number: at + 1, of: pending.length }, report, () => apply(migration))
  }
  if (spread) await transaction(spread, (tx) => spreadTables(tx))
  log.info({ migrations: pending.length, ms: since(beganAt) }, 'the schema is that of this release')
}

const since = (at: number) => Math.round(performance.now() - at)

const STILL_MS = 30_000

async function reported(
  migration: string,
  place: { number: number; of: number },
  report: (progress: MigrationProgress) => void,
  apply: () => Promise<void>,
) {
  const beganAt = performance.now()
  const say = (status: MigrationProgress['status']) => report({ status, migration, ...place, ms: since(beganAt) })
  const still = setInterval(() => say('running'), STILL_MS)
  try {
    await apply()
  } finally {
    clearInterval(still)
  }
  say('applied')
}

/** Refuses a table of this name that is another program's. */
async function wasMigrated(db: Queryable) {
  const { isThere, isOurs } = await db.one<{ isThere: boolean; isOurs: boolean }>`
    select to_regclass('migrations') is not null as is_there, (
      select count(*) = 2 from pg_attribute
      where attrelid = to_regclass('migrations') and attname in ('name', 'hash') and not attisdropped) as is_ours`
  if (isThere && !isOurs)
    throw new StartRefusal(
      'The database holds another program’s table “migrations”. Let DATABASE_URL name a database of its own.',
    )
  return isThere
}

async function isAt(db: Queryable, names: string[]) {
  if (!(await wasMigrated(db))) return false
  const last = await db.one<{ name: string; count: number }>`
    select max(name) as name, count(*) as count from migrations`
  return last.name === names.at(-1) && last.count === names.length
}

async function findPending(applied: Map<string, string>, names: string[], folder?: URL): Promise<Migration[]> {
  refuseNewer(applied, names)
  const migrations = await Promise.all(names.map((name) => readMigration(name, folder)))
  const changed = migrations.find(({ name, hash }) => applied.has(name) && applied.get(name) !== hash)
  if (changed)
    throw new StartRefusal(`Migration ${changed.name} was changed after it was applied; install this release anew.`)
  return migrations.filter(({ name }) => !applied.has(name))
}

/** Settings of migrations, whatever the connection's own. Those of Citus have no effect elsewhere. */
const SETTINGS = `set timezone = 'UTC'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set citus.enable_unsafe_triggers = on`

/** Runs `work` on one connection with an exclusive session lock, which ends with the connection. */
async function alone(db: Database, work: (client: pg.PoolClient, pid: number) => Promise<void>) {
  const client = await db.pool.connect()
  try {
    await client.query(SETTINGS)
    await acquireMigrationLock(client, db.log)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await work(client, rows[0]!.pid)
  } finally {
    // a pooler may reuse the connection
    await client.query('discard all').catch(() => {})
    client.release(true)
  }
}

const TURN_MS = 250

/** Polls for the lock: a concurrent index build would wait for a statement that waits for it. */
async function acquireMigrationLock(client: pg.PoolClient, log: Logger) {
  for (let polls = 0; ; polls++) {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [MIGRATING])
    if (rows[0]!.free) return
    if (polls === 0) log.info('another process migrates or restores this database, and is waited for')
    await sleep(TURN_MS)
  }
}

/** Returns every migration of this release by name, with the digest of its text. */
export async function knownMigrations(): Promise<Map<string, string>> {
  const names = await migrationNames()
  const migrations = await Promise.all(names.map((name) => readMigration(name)))
  return new Map(migrations.map(({ name, hash }) => [name, hash]))
}

/**
 * Returns the migrations that a start would apply to this database, in order. Refuses one migrated by a newer release.
 */
export async function pendingMigrations(db: Queryable): Promise<string[]> {
  const names = await migrationNames()
  const applied = (await wasMigrated(db)) ? await readApplied(db, names) : new Map<string, string>()
  refuseNewer(applied, names)
  return names.filter((name) => !applied.has(name))
}

/** Returns applied migrations by name, each with the hash of its text. */
async function readApplied(db: Queryable, names: string[]) {
  const rows = await db.many<{ name: string; hash: string }>`select name, hash from migrations`
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]))
  if (names[0] !== BASELINE) return applied
  const counted = countAsBaseline(applied, (await readMigration(BASELINE)).hash)
  if (counted) return counted
  throw new StartRefusal(
    `The schema of this database is older than release 0.1.1. Start release 0.1.1 on it once (${CHECKOUT_0_1_1}), then this one.`,
  )
}

const noteBaseline = (db: Queryable, hash: string) => db.run`
  with replaced as (delete from migrations where name < ${BASELINE} returning applied_at)
  insert into migrations (name, hash, applied_at)
  select ${BASELINE}, ${hash}, max(applied_at) from replaced having count(*) > 0`

function refuseNewer(applied: Map<string, string>, names: string[]) {
  for (const name of applied.keys())
    if (!names.includes(name))
      throw new StartRefusal(
        `The database holds migration ${name}, which this release doesn’t know. Start the release that applied it, or a newer one; to go back, restore a backup made before it into an empty database.`,
      )
}
