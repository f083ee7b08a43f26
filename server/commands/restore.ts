import { dirname, join, resolve } from 'node:path'
import { tellingAccounts } from '../integrations/outgoing-webhooks/webhooks.ts'
import { BackupRefusal } from '../platform/backups/backup-refusal.ts'
import { ERASED_LIST, type Erased, readErasedList } from '../platform/backups/erased-list.ts'
import { type BackupManifest, signManifest } from '../platform/backups/manifest.ts'
import { type BackupArchive, checkArchive, openBackup } from '../platform/backups/open-archive.ts'
import { checkRelease, restoreBackup } from '../platform/backups/restore.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import { opensKeyCheck, resealCheck } from '../platform/database/key-check.ts'
import type { Database, Transaction } from '../platform/database/pool.ts'
import { readKeyId, type Secrets } from '../platform/database/secrets.ts'
import { countInWords } from '../platform/format-values.ts'
import { silent } from '../platform/http/logger.ts'
import { createJobs, prepareQueues } from '../platform/jobs/queue.ts'
import { keysThatWork } from '../program/api-keys/api-keys.ts'
import { listAdministrators } from '../program/auth/administrators.ts'
import { endWhatWasRestored } from '../program/auth/sessions.ts'
import { markUnsure } from '../program/invoicing/series.ts'
import { pauseRestored } from '../program/payouts/reconciliation/reconcile-transfers.ts'
import { endRestoredPortals } from '../program/portal/sessions.ts'
import { type ErasedAgain, eraseListed } from '../program/privacy/erase-again.ts'
import { type Difference, verifyLedger } from '../program/stats/verify.ts'
import { queues } from '../queues.ts'
import { summarizeBackup, summaryLines } from './backup.ts'
import { type Define, defineReport, type Progress, type Report } from './command.ts'
import { erasedLines } from './erase.ts'
import { findSecrets, withInstall } from './install.ts'

type Options = { check?: boolean; despiteDifferences?: boolean; unsigned?: boolean }

export const define: Define = (program) =>
  defineReport<Options>(
    program
      .command('restore')
      .description(
        'Restore a backup into an empty database, all or nothing; the product must not be running on that database.',
      )
      .argument('<file>', 'the backup')
      .option('--check', 'only read the file completely, without a database')
      .option('--despite-differences', 'restore even if the ledger has differences')
      .option('--unsigned', 'restore even if the backup isn’t signed, so that changes can’t be detected'),
    ([file = ''], options, tell) => (options.check ? check(file) : restoreFile(file, options, tell)),
  )

async function check(file: string): Promise<Report> {
  const manifest = await checkArchive(file)
  await checkRelease(manifest)
  const secrets = await findSecrets(readConfig(process.env))
  const signature = secrets && fits(manifest, secrets) ? checkSignature(manifest, secrets) : 'unknown'
  const line =
    signature === 'fits'
      ? 'It is unchanged: its signature is valid.'
      : signature === 'none'
        ? 'It isn’t signed.'
        : 'Its signature wasn’t checked, because the secret key isn’t here.'
  return {
    lines: [`${file} is whole.`, line, ...summaryLines(manifest)],
    json: { file, signature, ...summarizeBackup(manifest) },
  }
}

async function restoreFile(
  file: string,
  { despiteDifferences = false, unsigned = false }: Options,
  tell: Progress,
): Promise<Report> {
  const archive = await openBackup(file)
  try {
    await checkRelease(archive.manifest)
    const secrets = await requireKey(archive.manifest)
    const signature = secrets ? checkSignature(archive.manifest, secrets) : 'none'
    if (signature === 'none' && !unsigned) throw notSigned()
    return await withInstall(
      async ({ db, config }) => {
        const listed = await findErased(file, config)
        const means = { config, secrets, listed: listed ?? [], despiteDifferences, tell }
        const { waiting, differences, back, erased } = await restoreInto(db, archive, means)
        return {
          lines: [
            ...[`Restored ${file}.`, ...summaryLines(archive.manifest)],
            differences.length === 0
              ? 'The ledger is consistent.'
              : `The ledger has ${countInWords(differences.length, 'difference')}: npx tributary verify-ledger lists them.`,
            waiting === 0
              ? 'No account has commissions, pays automatically or notifies other systems: nothing is paused.'
              : `Payouts and outgoing webhooks are paused until the ${waiting === 1 ? 'owner of an account resumes' : `owners of ${waiting} accounts resume`} them: Payouts, “Compare transfers”.`,
            ...restoredLines(back),
            ...(listed ? erasedLines(erased) : [withoutList]),
            'You can start the product now.',
          ],
          json: { file, ...summarizeBackup(archive.manifest), waiting, differences, ...back, erased: listed && erased },
        }
      },
      { alone: true, anySchema: true, creates: true },
    )
  } finally {
    archive.close()
  }
}

type Means = {
  config: Config
  secrets: Secrets | null
  /** Erasures since the backup, and earlier ones. */
  listed: Erased[]
  despiteDifferences: boolean
  tell: Progress
}

const noErased: ErasedAgain = { again: 0, already: 0, absent: 0, needed: [] }

async function restoreInto(db: Database, archive: BackupArchive, means: Means) {
  const { config, secrets, listed, despiteDifferences, tell } = means
  const jobs = createJobs(db.url, silent)
  let outcome = {
    waiting: 0,
    differences: [] as Difference[],
    erased: noErased,
    back: { administrators: [], apiKeys: [] } as Back,
  }
  const before = async (tx: Transaction) => {
    tell('Verifying the ledger …')
    const differences = await verifyLedger(tx)
    if (differences.length > 0 && !despiteDifferences) throw disagreeing(differences)
    // the original install may continue, and its backups stay its own
    if (secrets) await resealCheck(tx, secrets)
    await endWhatWasRestored(tx)
    await endRestoredPortals(tx)
    const waiting = await pauseRestored(tx, jobs, await tellingAccounts(tx))
    await markUnsure(tx)
    const administrators = (await listAdministrators(tx)).map(({ email }) => email)
    // before the commit: no one is served a person who was erased
    const erased = secrets ? await eraseListed({ config, secrets, jobs, db: tx }, listed) : noErased
    outcome = { differences, waiting, erased, back: { administrators, apiKeys: await keysThatWork(tx) } }
  }
  try {
    await restoreBackup(db, archive, {
      prepareQueues: (owner) => prepareQueues(owner, queues),
      before,
      onTable: (name, rows) => rows > 0 && tell(`${name}: ${countInWords(rows, 'row')}`),
    })
    return outcome
  } finally {
    await jobs.stop({ graceful: false })
  }
}

/** Returns the erasures listed beside the backup and in BACKUP_DIR; null if there is no list. */
async function findErased(file: string, { backups }: Config): Promise<Erased[] | null> {
  const folders = new Set([dirname(resolve(file)), ...(backups ? [resolve(backups.folder)] : [])])
  const lists = await Promise.all([...folders].map((folder) => readErasedList(join(folder, ERASED_LIST))))
  if (lists.every((list) => list === null)) return null
  return [...new Map(lists.flatMap((list) => list ?? []).map((one) => [one.id, one])).values()]
}

const withoutList = `There is no ${ERASED_LIST} beside the backup: people erased since then are in this database again. If you have the list elsewhere, erase them with npx tributary erase --list FILE before you start the product.`

/** Returns the key that opens the backup's sealed values. Never creates one, which would be different. */
async function requireKey({ keyCheck }: BackupManifest): Promise<Secrets | null> {
  if (keyCheck === null) return null
  const sealed = Buffer.from(keyCheck, 'base64')
  const secrets = await findSecrets(readConfig(process.env))
  const wanted = `This backup is sealed with the secret key ${readKeyId(sealed)}`
  const advice = 'Set SECRET_KEY to it, or copy secret.key from the original server into DATA_DIR.'
  if (!secrets) throw new BackupRefusal(`${wanted}, and there is no key here. ${advice}`)
  if (!opensKeyCheck(secrets, sealed))
    throw new BackupRefusal(`${wanted}, and the key here is ${secrets.keyId}. ${advice}`)
  return secrets
}

const fits = ({ keyCheck }: BackupManifest, secrets: Secrets) =>
  keyCheck !== null && opensKeyCheck(secrets, Buffer.from(keyCheck, 'base64'))

/** Refuses a complete backup that the install did not write. */
function checkSignature(manifest: BackupManifest, secrets: Secrets): 'fits' | 'none' {
  if (!manifest.signature) return 'none'
  if (manifest.signature !== signManifest(manifest, secrets))
    throw new BackupRefusal(
      'The backup was changed after it was written: its signature is invalid. Use another one, and find out who had write access to it.',
    )
  return 'fits'
}

const notSigned = () =>
  new BackupRefusal(
    'The backup isn’t signed, like those of releases before 0.2.0, so changes to it can’t be detected. If nobody else had write access to it, restore it with --unsigned.',
  )

/** Access that is valid again, as at the time of the backup, even if revoked since. */
type Back = { administrators: string[]; apiKeys: { account: string; name: string; lastFour: string | null }[] }

const restoredLines = ({ administrators, apiKeys }: Back) => [
  'Everyone must sign in again: sessions, access tokens and open links have ended.',
  `${countInWords(administrators.length, 'administrator')} at that time: ${listed(administrators)}. Remove former ones with npx tributary admin remove.`,
  ...(apiKeys.length > 0
    ? [
        `${countInWords(apiKeys.length, 'API key')} at that time, including any deleted since: ${listed(apiKeys.map(({ account, name }) => `${name} (${account})`))}.`,
      ]
    : []),
]

const LISTED = 20
const listed = (names: string[]) =>
  [...names.slice(0, LISTED), ...(names.length > LISTED ? [`${names.length - LISTED} more`] : [])].join(', ')

const SHOWN = 5

const disagreeing = (differences: Difference[]) =>
  new BackupRefusal(
    [
      `The ledger in this backup has ${countInWords(differences.length, 'difference')}. Nothing was restored. Use another backup, or restore with --despite-differences and investigate.`,
      ...differences.slice(0, SHOWN).map(({ check, subject }) => `${check}: ${subject}`),
    ].join('\n'),
  )
