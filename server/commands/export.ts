import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { exportAccount } from '../integrations/data-transfer/export-account.ts'
import { system } from '../platform/author.ts'
import { failureInWords } from '../platform/backups/backup-refusal.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import { asUuid } from '../platform/database/ids.ts'
import type { Database } from '../platform/database/pool.ts'
import { countInWords } from '../platform/format-values.ts'
import { Refusal } from '../platform/refusal.ts'
import { emptyBegun } from '../program/privacy/run-erasure.ts'
import { type Define, defineReport, type Progress } from './command.ts'
import { withInstall } from './install.ts'

export const define: Define = (program) =>
  defineReport(
    program
      .command('export')
      .description('Write everything of one account as a zip, to be imported into another install.')
      .argument('<account-id>', 'the account; npx tributary account list shows all IDs')
      .argument('<file>', 'the zip to create; it must not exist yet'),
    ([accountId = '', file = ''], _, tell) =>
      withInstall(async ({ config, db, secrets }) => {
        await emptyBegun({ config, db, secrets }, asUuid(accountId))
        const { ledgerDigest } = await writeZip(db, accountId, file, tell)
        return {
          lines: [`Written to ${file}. Ledger digest: ${ledgerDigest}`],
          json: { accountId, file, ledgerDigest },
        }
      }),
  )

async function writeZip(db: Database, accountId: string, file: string, tell: Progress) {
  let begun = false
  const open = ({ rows }: { rows: number }) => {
    tell(`Exporting ${countInWords(rows, 'row')} …`)
    begun = true
    return createWriteStream(file, { flags: 'wx', mode: 0o600 })
  }
  try {
    return await exportAccount(db, system, asUuid(accountId), { open })
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'not_found')
      throw new StartRefusal(`There is no account with the ID ${accountId}. npx tributary account list shows all IDs.`)
    if ((error as { code?: string }).code === 'EEXIST') throw new StartRefusal(`${file} already exists.`)
    if (begun) await rm(file, { force: true })
    throw failureInWords(error, { file, lost: 'Nothing was written.' })
  }
}
