import { backupHealth } from '../platform/backups/own-backups.ts'
import { countInWords } from '../platform/in-words.ts'
import { type Check, fault, ok, skipped } from './check.ts'

/** Whether what BACKUP_DIR promises is there. */
export const backups: Check = {
  name: 'backups',
  async look({ config, clock, needs }) {
    needs('BACKUP_DIR', 'BACKUP_EVERY', 'BACKUP_KEEP')
    const health = await backupHealth(config, clock.now())
    if (!health) return skipped('BACKUP_DIR is not set: no backups are scheduled.')
    const { count, newestAt, isOverdue } = health
    const advice = 'See that the folder is there, has room and may be written to; the server’s log says why one failed.'
    if (!newestAt) return fault(`${config.backups!.folder} holds no backup.`, advice)
    if (isOverdue) return fault(`The newest backup is of ${newestAt}, and another should be there by now.`, advice)
    return ok(`${countInWords(count, 'backup')}, the newest of ${newestAt}.`)
  },
}
