import { BASELINE, CHECKOUT_0_1_1, countAsBaseline } from '../database/baseline.ts'
import { isForbidden } from '../database/database-errors.ts'
import { knownMigrations, MIGRATING, migrateSchema } from '../database/migrate.ts'
import { type Database, openDatabase, type Queryable, type Transaction, transaction } from '../database/pool.ts'
import { BackupRefusal, failureInWords } from './backup-refusal.ts'
import { fillTables } from './fill.ts'
import type { BackupManifest } from './manifest.ts'
import type { BackupArchive } from './open-archive.ts'
import { ownTables, quotedName, textSettings } from './tables.ts'

type Options = {
  /** Creates the tables of the job queue, which cannot be done in a transaction. */
  prepareQueues: (db: Database) => Promise<void>
  /** Further checks, and work before first use; an error rolls everything back. */
  before: (tx: Transaction) => Promise<unknown>
  /** Called at the start of each table. */
  onTable?: (name: string, rows: number) => void
}

/**
 * Restores a backup into an empty database, all or nothing, and migrates it to this release. Excludes other restores,
 * and starts wait. Refuses, by `BackupRefusal`, a database with data and a backup of a newer release.
 */
export async function restoreBackup(
  db: Pick<Database, 'url' | 'log' | 'clock'>,
  archive: BackupArchive,
  { prepareQueues, before, onTable = () => {} }: Options,
): Promise<void> {
  const last = await checkRelease(archive.manifest)
  const { url, log, clock } = db
  const own = openDatabase({ url, log, clock, max: 1, pipeline: false })
  try {
    await refuseFilled(own)
    await prepareQueues(own)
    await transaction(own, async (tx) => {
      const free = await tx.value<boolean>`select pg_try_advisory_xact_lock(${MIGRATING})`
      if (!free)
        throw new BackupRefusal('Another restore, or a start, is at work on this database. Wait until it is done.')
      await refuseFilled(tx)
      await migrateSchema(tx, { upTo: last })
      await fillTables(tx, archive, onTable)
      await migrateSchema(tx)
      await tx.client.query(textSettings)
      // of its own tables alone, since "analyze" by itself locks catalogs that all databases of the server share; sent
      // separately, since a cluster repeats the settings on each machine, with everything sent along with them
      const tables = await ownTables(tx)
      await tx.client.query(`analyze ${tables.map(({ name }) => quotedName(name)).join(', ')}`)
      await before(oneByOne(tx))
    })
  } catch (error) {
    throw isForbidden(error)
      ? forbidden()
      : failureInWords(error, { file: 'the backup', lost: 'Nothing was restored.' })
  } finally {
    await own.close()
  }
}

/** Returns the transaction with its statements sent one by one: its connection does not pipeline. */
function oneByOne(tx: Transaction): Transaction {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Given extends unknown[], T>(work: (...given: Given) => Promise<T>) =>
    ((...given: Given) => {
      const next = last.then(() => work(...given))
      last = next.catch(() => {})
      return next
    }) as never
  const { many, maybe, one, value, run } = tx
  return { ...tx, many: inTurn(many), maybe: inTurn(maybe), one: inTurn(one), value: inTurn(value), run: inTurn(run) }
}

/**
 * Checks that a backup is of this release or older; those from before 0.1.1 can be read by 0.1.1 only. Returns the name
 * of its last migration.
 */
export async function checkRelease({ migrations, version }: BackupManifest): Promise<string> {
  const known = await knownMigrations()
  const applied = countAsBaseline(new Map(migrations.map(({ name, hash }) => [name, hash])), known.get(BASELINE)!)
  if (!applied)
    throw new BackupRefusal(
      `The backup is older than release 0.1.1. Restore it with release 0.1.1 (${CHECKOUT_0_1_1}), and start this one on it.`,
    )
  for (const [name, hash] of applied) {
    if (!known.has(name))
      throw new BackupRefusal(
        `The backup was made by release ${version}, whose schema (${name}) is newer than this release knows. Install that release or a newer one, and restore with it.`,
      )
    if (known.get(name) !== hash)
      throw new BackupRefusal(
        `Migration ${name} isn’t the one the backup was made with. Restore it with release ${version}, unchanged.`,
      )
  }
  return [...applied.keys()].sort().at(-1)!
}

async function refuseFilled(db: Queryable): Promise<void> {
  const names = await db.value<string[]>`
    select coalesce(array_agg(c.relname::text order by c.relname), '{}') from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`
  if (names.length > 0)
    throw new BackupRefusal(
      `The database isn’t empty: it holds ${names.length === 1 ? 'a table' : `${names.length} tables`}, such as ${names[0]}. A backup is restored into an empty one. Let DATA_DIR name a new folder, or DATABASE_URL a new database, and keep this one until you have looked around.`,
    )
}

const forbidden = () =>
  new BackupRefusal(
    'DATABASE_URL signs in as a role that may not make tables. Restore with the address of the role that owns the database.',
  )
