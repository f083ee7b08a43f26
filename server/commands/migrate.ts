import { ledgerTables } from '../integrations/data-transfer/tables.ts'
import { type BackedUp, backUpBefore } from '../platform/backups/before-migrating.ts'
import { pendingMigrations } from '../platform/database/migrate.ts'
import { systemClock } from '../platform/database/pool.ts'
import { countInWords } from '../platform/in-words.ts'
import { reachDatabase } from '../reach-database.ts'
import type { Define } from './contents.ts'
import { type Install, silent, withInstall } from './install.ts'
import { reporting } from './report.ts'

type Options = { dryRun?: boolean; backup?: string }

export const define: Define = (program) =>
  program
    .command('migrate')
    .description('Bring the database up to this release, as a start does: schema, queues and the role it serves as.')
    .option('--dry-run', 'only list what would be applied')
    .option('--backup <file>', 'write a backup there first, where anything is to be applied (else into BACKUP_DIR)')
    .option('--json', 'print one object')
    .action(
      reporting<Options>((_, { dryRun = false, backup }) =>
        withInstall(
          async (install) => {
            const pending = await pendingMigrations(install.db)
            const made = dryRun ? 'empty' : await prepare(install, backup)
            const done = dryRun ? 'would be applied' : 'applied'
            return {
              lines:
                pending.length > 0
                  ? [...said(made), ...pending, `${countInWords(pending.length, 'migration')} ${done}.`]
                  : ['The schema is that of this release.'],
              json: { dryRun, migrations: pending, backup: typeof made === 'object' ? made.file : null },
            }
          },
          { anySchema: true },
        ),
      ),
    )

async function prepare({ config, db, key }: Install, file?: string): Promise<BackedUp> {
  let made: BackedUp | undefined
  const secrets = await key()
  await reachDatabase({
    ...{ config, url: db.url, clock: systemClock, log: silent, secrets },
    before: async (owner, pending) => {
      // a database that goes away in the middle is asked once more
      made ??= await backUpBefore(owner, pending, { file, backups: config.backups, ledger: ledgerTables, secrets })
    },
  })
  return made ?? 'empty'
}

function said(made: BackedUp): string[] {
  if (made === 'empty') return []
  if (made === 'nowhere') return ['No backup was made before: --backup FILE or BACKUP_DIR says where to.']
  return [`A backup was written to ${made.file}.`]
}
