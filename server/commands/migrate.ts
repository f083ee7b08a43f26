import { reachDatabase } from '../connect-database.ts'
import { ledgerTables } from '../integrations/data-transfer/tables.ts'
import { type BackedUp, backUpBefore } from '../platform/backups/before-migrating.ts'
import { withSecretKey } from '../platform/config/secret-key.ts'
import { type MigrationProgress, pendingMigrations } from '../platform/database/migrate.ts'
import { systemClock } from '../platform/database/pool.ts'
import { createSecrets } from '../platform/database/secrets.ts'
import { countInWords } from '../platform/format-values.ts'
import { silent } from '../platform/http/logger.ts'
import { type Define, defineReport, type Progress as Tell } from './command.ts'
import { type OpenInstall, withInstall } from './install.ts'

type Options = { dryRun?: boolean; backup?: string }

export const define: Define = (program) =>
  defineReport<Options>(
    program
      .command('migrate')
      .description('Update the database to this release, as a start does: schema, queues and serving role.')
      .option('--dry-run', 'only list the migrations that would be applied')
      .option(
        '--backup <file>',
        'if there are migrations to apply, write a backup to this file first (default: into BACKUP_DIR)',
      ),
    (_, { dryRun = false, backup }, tell) =>
      withInstall(
        async (install) => {
          const pending = await pendingMigrations(install.db)
          const made = dryRun ? 'empty' : await prepare(install, tell, backup)
          const count = countInWords(pending.length, 'migration')
          const ending = dryRun ? [...pending, `${count} would be applied.`] : [`${count} applied.`]
          return {
            lines: pending.length > 0 ? ending : ['The schema is up to date.'],
            json: { dryRun, migrations: pending, backup: typeof made === 'object' ? made.file : null },
          }
        },
        { anySchema: true, creates: true },
      ),
  )

function prepare({ config, db }: OpenInstall, tell: Tell, file?: string): Promise<BackedUp> {
  return withSecretKey(config, async (key) => {
    let made: BackedUp | undefined
    const secrets = createSecrets(key)
    await reachDatabase({
      config,
      url: db.url,
      clock: systemClock,
      log: silent,
      secrets,
      before: async (owner, pending) => {
        // if the database connection was lost, this runs again
        if (made) return
        made = await backUpBefore(owner, pending, { file, backups: config.backups, ledger: ledgerTables, secrets })
        for (const line of backupLines(made)) tell(line)
      },
      tell: (progress) => tell(inWords(progress)),
    })
    return made ?? 'empty'
  })
}

function inWords({ status, migration, number, of, ms }: MigrationProgress) {
  const seconds = `${(ms / 1000).toFixed(1)} s`
  return `${migration}, ${number} of ${of}: ${status === 'applied' ? `applied in ${seconds}` : `running for ${seconds}`}`
}

function backupLines(made: BackedUp): string[] {
  if (made === 'empty') return []
  if (made === 'nowhere') return ['No backup was made first: use --backup FILE or set BACKUP_DIR.']
  return [`A backup was written to ${made.file}.`]
}
