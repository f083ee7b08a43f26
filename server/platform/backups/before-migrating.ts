import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { StartRefusal } from '../config/start-refusal.ts'
import { findKeyCheck } from '../database/key-check.ts'
import type { Database, Queryable } from '../database/pool.ts'
import type { Secrets } from '../database/secrets.ts'
import { BackupRefusal, failureInWords } from './backup-refusal.ts'
import { classifyBackups, nameBefore, numberOf, removeUnfinished } from './own-backups.ts'

type Options = {
  /** The operator's file; by default the backup goes to BACKUP_DIR. */
  file?: string | undefined
  backups: Config['backups']
  ledger: readonly string[]
  /** Signs the backup. */
  secrets?: Secrets
}

/** `nowhere`: no target is configured; `empty`: there is no data. */
export type BackedUp = { file: string } | 'nowhere' | 'empty'

/**
 * Backs up before the schema is changed. Called by the migrating process, so no other does this meanwhile. A failure
 * refuses the migration.
 */
export async function backUpBefore(db: Database, pending: string[], options: Options): Promise<BackedUp> {
  const { file, backups, ledger, secrets } = options
  if (!(await holdsData(db))) return 'empty'
  if (file === undefined && !backups) return 'nowhere'
  const target = file ?? join(backups!.folder, nameBefore(pending[0]!, db.now))
  try {
    if (file === undefined) await removeUnfinished(backups!.folder)
    // loaded only when needed
    const { backUp } = await import('./back-up.ts')
    await backUp(db, target, ledger, secrets)
    if (file === undefined) await removeBetween(db, backups!.folder, pending[0]!)
    return { file: target }
  } catch (error) {
    const problem = failureInWords(error, { file: file ?? backups!.folder, lost: 'Nothing was written.' })
    if (!(problem instanceof BackupRefusal)) throw problem
    throw new StartRefusal(`No backup could be made, so the schema was not changed. ${problem.message}`)
  }
}

/** Returns false for an unused database without data. */
async function holdsData(db: Queryable): Promise<boolean> {
  const isUsed = await db.value<boolean>`select to_regclass('pgboss.job') is not null`
  return isUsed && db.value<boolean>`select exists (select from users) or exists (select from accounts)`
}

/**
 * Deletes intermediate backups of repeated failing starts. The first one has the original data, the newest all changes
 * of the previous release; those between are not needed.
 */
async function removeBetween(db: Database, folder: string, migration: string) {
  const { before } = await classifyBackups(folder, await findKeyCheck(db), db.now)
  const same = before.filter((one) => one.migration === numberOf(migration))
  for (const { name } of same.slice(1, -1)) await rm(join(folder, name), { force: true })
}
