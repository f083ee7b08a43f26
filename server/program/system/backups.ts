import type { System } from '#contract/system.ts'
import type { Author } from '../../platform/author.ts'
import { backupHealth } from '../../platform/backups/own-backups.ts'
import { BACKUP_CLOCK } from '../../platform/backups/scheduled.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { clockQueue } from '../../platform/jobs/clocks.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { backupRun } from './queries.ts'

export async function describeBackups(db: Queryable, config: Services['config']): Promise<System['backups']> {
  const health = await backupHealth(db, config, db.now)
  return health && { ...health, ...(await backupRun(db)) }
}

/**
 * Has the clock of backups run at once, whatever the age of the newest; a failed run waits for the next hour. Refuses:
 * without BACKUP_DIR, and while the clock has a run.
 */
export async function requestBackup(tx: Transaction, { config, jobs }: Services, by: Author) {
  if (!config.backups) throw refusal('backup_folder_missing', { docs: `${config.appUrl}/docs/backups` })
  const isAdded = await jobs.addOnce(tx, clockQueue, { name: BACKUP_CLOCK, isAsked: true }, BACKUP_CLOCK)
  if (!isAdded) throw refusal('backup_running')
  await recordActivity(tx, by, null, 'system.backup-requested', { id: null })
  return (await describeBackups(tx, config))!
}
