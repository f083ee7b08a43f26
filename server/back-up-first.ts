import type { Logger } from 'pino'
import { ledgerTables } from './integrations/data-transfer/tables.ts'
import { backUpBefore } from './platform/backups/before-migrating.ts'
import type { Config } from './platform/config/config.ts'
import type { Secrets } from './platform/database/secrets.ts'
import type { BeforeMigrating } from './prepare-database.ts'

/** Backs up before a start changes the schema, if a folder is configured, and logs it. */
export const backingUpFirst =
  ({ backups }: Pick<Config, 'backups'>, log: Logger, secrets: Secrets): BeforeMigrating =>
  async (owner, pending) => {
    const made = await backUpBefore(owner, pending, { backups, ledger: ledgerTables, secrets })
    if (made === 'nowhere')
      log.warn(
        { migrations: pending.length },
        'the schema is changed without a backup; with BACKUP_DIR a start makes one first, and so does npx tributary migrate --backup FILE',
      )
    else if (made !== 'empty') log.info({ file: made.file }, 'a backup was written before the schema is changed')
  }
