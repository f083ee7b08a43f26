import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findKeyCheck } from '../database/key-check.ts'
import { migrationNames } from '../database/migration-files.ts'
import { type Database, transaction } from '../database/pool.ts'
import { sendSignal } from '../events/emit-event.ts'
import type { Asked } from '../jobs/clocks.ts'
import type { Services } from '../services.ts'
import { failureInWords } from './backup-refusal.ts'
import { type Contents, classifyBackups, nameAt, numberOf, removeUnfinished } from './own-backups.ts'
import { backupsFailing } from './signals.ts'

const HOUR = 3_600_000
/** Tolerance in milliseconds: the clock runs hourly, but not always in the same second. */
const SLACK = HOUR / 6

/** The clock of backups, by which one process at a time makes one. */
export const BACKUP_CLOCK = 'back-up'

/**
 * Backs up into BACKUP_DIR when this install's newest backup there is old enough, or a person asked for one. Deletes the
 * oldest only after a new one is complete, so that a full disk costs no backup.
 */
export async function backUpWhenDue(
  { config, db, log, secrets }: Services,
  ledger: readonly string[],
  { isAsked }: Asked = { isAsked: false },
): Promise<void> {
  if (!config.backups) return
  const { folder, everyHours, keep } = config.backups
  try {
    const look = async () => classifyBackups(folder, await findKeyCheck(db), db.now)
    const [newest] = (await look()).scheduled
    if (!isAsked && newest && db.now.getTime() - newest.at < everyHours * HOUR - SLACK) return
    await removeUnfinished(folder)
    const file = join(folder, nameAt(db.now))
    // no start needs it
    const { backUp } = await import('./back-up.ts')
    const { digest } = await backUp(db, file, ledger, secrets)
    log.info({ file, digest }, 'a backup was written')
    await db.run`update install set backups_failing_since = null where backups_failing_since is not null`
    const contents = await look()
    for (const { name } of [...contents.scheduled.slice(keep), ...(await outlived(contents, keep))])
      await rm(join(folder, name), { force: true })
  } catch (error) {
    const problem = failureInWords(error, { file: folder, lost: 'Earlier backups are as they were.' })
    log.error({ folder, err: problem }, 'the scheduled backup failed; earlier ones are kept')
    // if the database is unavailable too, the next try notifies
    await notifyFailure(db).catch(() => {})
    throw problem
  }
}

/**
 * Returns backups from before migrations that this release has applied, after as many newer ones as are kept. A release
 * without such a migration may still run while another fails to apply it.
 */
async function outlived({ scheduled, before }: Contents, keep: number) {
  const oldestKept = scheduled[keep - 1]
  const newestNumber = numberOf((await migrationNames()).at(-1)!)
  return before.filter(({ at, migration }) => oldestKept && at < oldestKept.at && migration! <= newestNumber)
}

/** Notifies once, until a backup succeeds. */
const notifyFailure = (db: Database) =>
  transaction(db, async (tx) => {
    const begun = await tx.run`
      update install set backups_failing_since = ${tx.now} where backups_failing_since is null`
    if (begun > 0) await sendSignal(tx, null, backupsFailing, { since: tx.now.toISOString() })
  })
