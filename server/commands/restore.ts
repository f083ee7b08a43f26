import { tellingAccounts } from '../integrations/outgoing-webhooks/webhooks.ts'
import { BackupRefusal } from '../platform/backups/backup-refusal.ts'
import type { Manifest } from '../platform/backups/manifest.ts'
import { type Archive, checkArchive, openArchive } from '../platform/backups/open-archive.ts'
import { checkRelease, restore } from '../platform/backups/restore.ts'
import { readConfig } from '../platform/config/config.ts'
import { findKeptKey } from '../platform/config/secret-key.ts'
import { opens, resealCheck } from '../platform/database/key-check.ts'
import type { Database, Transaction } from '../platform/database/pool.ts'
import { createSecrets, keyIdOf, type Secrets } from '../platform/database/secrets.ts'
import { countInWords } from '../platform/in-words.ts'
import { createJobs, prepareQueues } from '../platform/jobs/queue.ts'
import { pauseRestored } from '../program/payouts/reconciliation/agreement.ts'
import { type Difference, verifyLedger } from '../program/stats/verify.ts'
import { queues } from '../queues.ts'
import { said, summary } from './backup.ts'
import type { Define } from './contents.ts'
import { silent, withInstall } from './install.ts'
import { type Progress, type Report, reporting } from './report.ts'

type Options = { check?: boolean; despiteDifferences?: boolean }

export const define: Define = (program) =>
  program
    .command('restore')
    .description('Restore a backup into an empty database, all or nothing; the product must not be running on it.')
    .argument('<file>', 'the backup')
    .option('--check', 'only read the whole file, without a database')
    .option('--despite-differences', 'restore also books that do not agree with themselves')
    .option('--json', 'print one object')
    .action(
      reporting<Options>(([file = ''], options, tell) =>
        options.check ? check(file) : restoreFile(file, options, tell),
      ),
    )

async function check(file: string): Promise<Report> {
  const manifest = await checkArchive(file)
  await checkRelease(manifest)
  return { lines: [`${file} is whole.`, ...said(manifest)], json: { file, ...summary(manifest) } }
}

async function restoreFile(file: string, { despiteDifferences = false }: Options, tell: Progress): Promise<Report> {
  const archive = await openArchive(file)
  try {
    await checkRelease(archive.manifest)
    const secrets = await requireKey(archive.manifest)
    return await withInstall(
      async ({ db }) => {
        const { waiting, differences } = await restoreInto(db, archive, { secrets, despiteDifferences, tell })
        return {
          lines: [
            ...[`Restored ${file}.`, ...said(archive.manifest)],
            differences.length === 0
              ? 'The ledger agrees with itself.'
              : `The ledger has ${countInWords(differences.length, 'difference')}: npx tributary verify-ledger names them.`,
            waiting === 0
              ? 'No account pays by itself or tells other systems: nothing is paused.'
              : `Payouts that leave by themselves and outgoing webhooks wait for the ${waiting === 1 ? 'owner of an account' : `owners of ${waiting} accounts`}: Payouts, 'Compare transfers'.`,
            'Start the product now.',
          ],
          json: { file, ...summary(archive.manifest), waiting, differences },
        }
      },
      { alone: true, anySchema: true },
    )
  } finally {
    archive.close()
  }
}

type Means = { secrets: Secrets | null; despiteDifferences: boolean; tell: Progress }

async function restoreInto(db: Database, archive: Archive, { secrets, despiteDifferences, tell }: Means) {
  const jobs = createJobs(db.url, silent)
  let outcome = { waiting: 0, differences: [] as Difference[] }
  const before = async (tx: Transaction) => {
    tell('Verifying the ledger …')
    const differences = await verifyLedger(tx)
    if (differences.length > 0 && !despiteDifferences) throw disagreeing(differences)
    // the one that was backed up may go on, and its backups stay its own
    if (secrets) await resealCheck(tx, secrets)
    outcome = { differences, waiting: await pauseRestored(tx, jobs, await tellingAccounts(tx)) }
  }
  try {
    await restore(db, archive, {
      prepareQueues: (owner) => prepareQueues(owner, queues),
      before,
      onTable: (name, rows) => rows > 0 && tell(`${name}: ${countInWords(rows, 'row')}`),
    })
    return outcome
  } finally {
    await jobs.stop({ graceful: false })
  }
}

/** What is sealed in the backup opens with one key only. None is made here: it would be another. */
async function requireKey({ keyCheck }: Manifest): Promise<Secrets | null> {
  if (keyCheck === null) return null
  const sealed = Buffer.from(keyCheck, 'base64')
  const config = readConfig(process.env)
  const key = config.secretKey ?? (await findKeptKey(config.dataDir, 'present'))
  const wanted = `This backup is sealed with the secret key ${keyIdOf(sealed)}`
  const advice = 'Set SECRET_KEY to it, or copy the secret.key of the install that was backed up into DATA_DIR.'
  if (!key) throw new BackupRefusal(`${wanted}, and there is none here. ${advice}`)
  const secrets = createSecrets(key)
  if (!opens(secrets, sealed)) throw new BackupRefusal(`${wanted}, and the one here is ${secrets.keyId}. ${advice}`)
  return secrets
}

const SHOWN = 5

const disagreeing = (differences: Difference[]) =>
  new BackupRefusal(
    [
      `The books in this backup don't agree with themselves: ${countInWords(differences.length, 'difference')}. Nothing was restored. Take another backup, or restore with --despite-differences and look into them.`,
      ...differences.slice(0, SHOWN).map(({ check, subject }) => `${check}: ${subject}`),
    ].join('\n'),
  )
