import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { type Contents, classifyBackups, getBackupHealth, LATE_HOURS } from '../platform/backups/own-backups.ts'
import { findKeyCheck } from '../platform/database/key-check.ts'
import { countInWords } from '../platform/format-values.ts'
import { type Check, type Finding, reportFault, reportOk, reportWarning } from './check.ts'
import { NotToBeSeen, type Patient } from './patient.ts'

const HOUR_MS = 3_600_000
const ADVICE =
  'Check that the folder exists, has space and is writable; the server’s log has the reason for each failure.'

/** Checks the backups configured by BACKUP_DIR. */
export const backups: Check = {
  name: 'backups',
  patience: 60_000,
  async look(patient) {
    const { config, clock, needs } = patient
    needs('BACKUP_DIR', 'BACKUP_EVERY', 'BACKUP_KEEP')
    if (!config.backups)
      return reportWarning(
        'BACKUP_DIR isn’t set: no backups are made.',
        'Set BACKUP_DIR to a folder, preferably on another disk, and keep a copy of the secret key elsewhere.',
      )
    const { folder, everyHours } = config.backups
    const shut = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch((error: Error) => error)
    if (shut) return reportFault(`${folder} isn’t writable: ${shut.message}`, ADVICE)
    if ((await stat(folder)).mtimeMs - clock.now().getTime() > HOUR_MS)
      throw new NotToBeSeen(`The clock is at ${clock.now().toISOString()}, but ${folder} was written to after that.`)
    const { keyCheck, failingSince } = await readInstall(patient)
    const contents = await classifyBackups(folder, keyCheck, clock.now())
    const { count, newestAt, isOverdue } = getBackupHealth(contents, everyHours, clock.now())
    const bad = judgeStrangers(folder, contents)
    if (failingSince) bad.unshift(reportFault(`Backups have failed since ${failingSince}.`, ADVICE))
    else if (!newestAt) bad.unshift(await judgeNone(folder, clock.now()))
    else if (isOverdue)
      bad.unshift(reportFault(`The newest backup is from ${newestAt}; there should be another by now.`, ADVICE))
    if (bad.length > 0) return bad
    return reportOk(`${countInWords(count + contents.before.length, 'backup')}, the newest from ${newestAt}.`)
  },
}

/** Reads the install; while the database is unavailable, backups cannot be assigned to it. */
async function readInstall(patient: Patient): Promise<{ keyCheck?: string | null; failingSince: string | null }> {
  try {
    const db = await patient.database()
    const failingSince = await db.value<string | null>`select max(backups_failing_since) from install`
    return { keyCheck: await findKeyCheck(db), failingSince }
  } catch {
    return { failingSince: null }
  }
}

/** Judges a folder without backups; one created or changed just now may belong to a process just started. */
async function judgeNone(folder: string, now: Date): Promise<Finding> {
  const { mtimeMs } = await stat(folder)
  const words = `${folder} has no backup of this server.`
  if (now.getTime() - mtimeMs < LATE_HOURS * HOUR_MS)
    return reportWarning(
      words,
      'The product writes the first one at the next full hour after a start with BACKUP_DIR: check again then.',
    )
  return reportFault(words, ADVICE)
}

const SHOWN = 3
const named = (names: string[]) =>
  names.length > SHOWN ? `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more` : names.join(', ')

function judgeStrangers(folder: string, { broken, future, others }: Contents): Finding[] {
  const of = (names: string[], noun: string) => `${countInWords(names.length, noun)} in ${folder}`
  const findings = [
    broken.length > 0 &&
      reportFault(
        `${of(broken, 'file')} can’t be restored (empty or incomplete): ${named(broken)}.`,
        'Delete anything that isn’t a backup. It isn’t counted, and doesn’t prevent new backups.',
      ),
    future.length > 0 &&
      reportFault(
        `${of(future, 'backup')} named after a time in the future: ${named(future)}.`,
        'Correct the clock if it is wrong, and move the file elsewhere. It isn’t counted, and doesn’t prevent new backups.',
      ),
    others.length > 0 &&
      reportWarning(
        `${of(others, 'backup')} of another server, or of this one before a restore or a change of its key: ${named(others)}.`,
        'They are left alone. Use a separate folder for each server, and delete backups you no longer need.',
      ),
  ]
  return findings.filter((found) => found !== false)
}
