import { dirname, join } from 'node:path'
import packageJson from '../../../package.json' with { type: 'json' }
import { isSpread } from '../database/cluster/spread.ts'
import { opensKeyCheck } from '../database/key-check.ts'
import { type Database, openDatabase, type Transaction, transaction } from '../database/pool.ts'
import type { Secrets } from '../database/secrets.ts'
import { BackupRefusal, failureInWords } from './backup-refusal.ts'
import { ERASED_LIST, readErasedList, writeErasedList } from './erased-list.ts'
import { BACKUP_FORMAT, type BackupManifest, combineDigests, signManifest } from './manifest.ts'
import { copyOut, cutOff, jobs, ownTables, quotedName, textSettings } from './tables.ts'
import { writeArchive } from './write-archive.ts'

/** The ledger's tables, for a separate digest. */
type Ledger = readonly string[]

/**
 * Writes the whole database into one file, consistent at one moment, while others keep working. The secret key is not
 * included, but signs the file if it is the database's. Beside it, the list of erasures is written again. Returns the
 * manifest. Refuses, by `BackupRefusal`, problems that the operator must solve first.
 */
export async function backUp(
  db: Pick<Database, 'directUrl' | 'log' | 'clock'>,
  file: string,
  ledger: Ledger,
  secrets: Secrets | null = null,
): Promise<BackupManifest> {
  const { directUrl, log, clock } = db
  const own = openDatabase({ url: directUrl, log, clock, max: 1, pipeline: false })
  try {
    // an unreadable list would fail the backup only once its file is complete
    await readErasedList(join(dirname(file), ERASED_LIST))
    const tables = await ownTables(own)
    if (!tables.some(({ name }) => name === 'migrations'))
      throw new BackupRefusal('There is nothing to back up: the product was never started on this database.')
    const isOverMachines = await isSpread(own)
    const manifest = await transaction(own, async (tx) => {
      await tx.run`set transaction isolation level repeatable read, read only`
      await tx.client.query(textSettings)
      const locking = `lock table ${tables.map(({ name }) => quotedName(name)).join(', ')} in access share mode`
      if (isOverMachines) await fixMoment(tx, locking)
      // before the first read: no table may be altered before it is read
      await tx.client.query(locking)
      const about = await readAbout(tx)
      const parts = [...tables, jobs].map((table) => ({ ...table, read: () => copyOut(tx, table) }))
      try {
        return await writeArchive(file, parts, (tables) => {
          const digests = { digest: combineDigests(tables), ledgerDigest: combineDigests(tables, [...ledger]) }
          const manifest: BackupManifest = { ...about, ...digests, signature: null, tables }
          const isOurs = secrets && about.keyCheck && opensKeyCheck(secrets, Buffer.from(about.keyCheck, 'base64'))
          return { ...manifest, signature: isOurs ? signManifest(manifest, secrets) : null }
        })
      } catch (error) {
        cutOff(tx)
        throw error
      }
    })
    // afterwards, so that no erasure is in neither: what commits later adds itself
    await writeErasedList(own, dirname(file))
    return manifest
  } catch (error) {
    throw failureInWords(error, { file, lost: 'Nothing was written.' })
  } finally {
    await own.close()
  }
}

/**
 * Has each machine of a cluster take its snapshot while no event is written: every change on several machines has an
 * event, on the first one. Events wait for milliseconds.
 */
async function fixMoment(tx: Transaction, locking: string) {
  await tx.client.query('savepoint moment')
  await tx.client.query('lock table event_relays in share mode')
  // begins a transaction on each machine
  await tx.client.query(locking)
  await tx.client.query('select from migrations limit 1')
  await tx.client.query('rollback to savepoint moment')
}

async function readAbout(tx: Transaction) {
  const { server, keyCheck } = await tx.one<{ server: string; keyCheck: Buffer | null }>`
    select current_setting('server_version') as server, (select key_check from install) as key_check`
  const migrations = await tx.many<{ name: string; hash: string }>`select name, hash from migrations order by name`
  const sequences = await tx.many<{ name: string; last: number }>`
    select sequencename::text as name, last_value as last from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`
  return {
    kind: 'tributary-backup' as const,
    format: BACKUP_FORMAT,
    version: packageJson.version,
    createdAt: tx.now.toISOString(),
    server,
    migrations,
    keyCheck: keyCheck?.toString('base64') ?? null,
    sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])),
  }
}
