import { ledgerTables } from '../integrations/data-transfer/tables.ts'
import { backUp } from '../platform/backups/back-up.ts'
import type { BackupRefusal } from '../platform/backups/backup-refusal.ts'
import type { BackupManifest } from '../platform/backups/manifest.ts'
import { checkRelease } from '../platform/backups/restore.ts'
import { readKeyId } from '../platform/database/secrets.ts'
import { countInWords } from '../platform/format-values.ts'
import { type Define, defineReport } from './command.ts'
import { findSecrets, withInstall } from './install.ts'

export const define: Define = (program) =>
  defineReport(
    program
      .command('backup')
      .description('Write everything on this server except its secret key to one file, also while it is running.')
      .argument('<file>', 'the backup to create; it must not exist yet'),
    ([file = '']) =>
      withInstall(
        async ({ config, db }) => {
          const manifest = await backUp(db, file, ledgerTables, await findSecrets(config))
          const warning = await checkRelease(manifest).then(
            () => null,
            ({ message }: BackupRefusal) => message,
          )
          const warned = warning ? [`Warning: this release can’t restore it. ${warning}`] : []
          return {
            lines: [`Written to ${file}.`, ...summaryLines(manifest), ...warned],
            json: { file, ...summarizeBackup(manifest), ...(warning && { warning }) },
          }
        },
        { anySchema: true },
      ),
  )

export const summarizeBackup = ({ version, createdAt, keyCheck, tables, digest, ledgerDigest }: BackupManifest) => ({
  version,
  createdAt,
  digest,
  ledgerDigest,
  rows: Object.values(tables).reduce((sum, { rows }) => sum + rows, 0),
  keyId: keyCheck && readKeyId(Buffer.from(keyCheck, 'base64')),
})

/** A backup's summary as text lines. */
export function summaryLines(manifest: BackupManifest): string[] {
  const { version, createdAt, rows, digest, ledgerDigest, keyId } = summarizeBackup(manifest)
  return [
    `${countInWords(rows, 'row')} as of ${createdAt}, written by release ${version}.`,
    `Digest: ${digest}`,
    `Ledger digest: ${ledgerDigest}`,
    ...(manifest.signature ? [] : ['It isn’t signed, so later changes to it can’t be detected.']),
    ...(keyId
      ? [`Sealed with the secret key ${keyId}, which the backup doesn’t contain: keep a copy of that key elsewhere.`]
      : []),
  ]
}
