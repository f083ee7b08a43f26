import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { type Contents, contentsOf, healthOf, LATE_HOURS } from '../platform/backups/own-backups.ts'
import { keyCheckOf } from '../platform/database/key-check.ts'
import { countInWords } from '../platform/in-words.ts'
import { type Check, type Finding, fault, ok, warning } from './check.ts'
import { NotToBeSeen, type Patient } from './patient.ts'

const HOUR_MS = 3_600_000
const ADVICE = 'See that the folder is there, has room and may be written to; the server’s log says why one failed.'

/** Checks the backups configured by BACKUP_DIR. */
export const backups: Check = {
  name: 'backups',
  patience: 60_000,
  async look(patient) {
    const { config, clock, needs } = patient
    needs('BACKUP_DIR', 'BACKUP_EVERY', 'BACKUP_KEEP')
    if (!config.backups)
      return warning(
        'BACKUP_DIR is not set: no backups are made.',
        'Set BACKUP_DIR to a folder, best on another disk, and keep a copy of the secret key elsewhere.',
      )
    const { folder, everyHours } = config.backups
    const shut = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch((error: Error) => error)
    if (shut) return fault(`Nothing can be written into ${folder}: ${shut.message}`, ADVICE)
    if ((await stat(folder)).mtimeMs - clock.now().getTime() > HOUR_MS)
      throw new NotToBeSeen(`The clock says ${clock.now().toISOString()}, and ${folder} was written to after that.`)
    const { keyCheck, failingSince } = await readInstall(patient)
    const contents = await contentsOf(folder, keyCheck, clock.now())
    const { count, newestAt, isOverdue } = healthOf(contents, everyHours, clock.now())
    const bad = judgeStrangers(folder, contents)
    if (failingSince) bad.unshift(fault(`Backups have failed since ${failingSince}.`, ADVICE))
    else if (!newestAt) bad.unshift(await judgeNone(folder, clock.now()))
    else if (isOverdue)
      bad.unshift(fault(`The newest backup is of ${newestAt}, and another should be there by now.`, ADVICE))
    if (bad.length > 0) return bad
    return ok(`${countInWords(count + contents.before.length, 'backup')}, the newest of ${newestAt}.`)
  },
}

/** Reads the install; while the database is unavailable, backups cannot be assigned to it. */
async function readInstall(patient: Patient): Promise<{ keyCheck?: string | null; failingSince: string | null }> {
  try {
    const db = await patient.database()
    const { since } = await db.one<{ since: string | null }>`
      select max(backups_failing_since) as since from install`
    return { keyCheck: await keyCheckOf(db), failingSince: since }
  } catch {
    return { failingSince: null }
  }
}

/** Judges a folder without backups; one created or changed just now may belong to a process just started. */
async function judgeNone(folder: string, now: Date): Promise<Finding> {
  const { mtimeMs } = await stat(folder)
  const words = `${folder} holds no backup of this install.`
  if (now.getTime() - mtimeMs < LATE_HOURS * HOUR_MS)
    return warning(
      words,
      'The product writes the first one at the next full hour after a start with BACKUP_DIR: look again then.',
    )
  return fault(words, ADVICE)
}

const SHOWN = 3
const named = (names: string[]) =>
  names.length > SHOWN ? `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more` : names.join(', ')

function judgeStrangers(folder: string, { broken, future, others }: Contents): Finding[] {
  const of = (names: string[], noun: string) => `${countInWords(names.length, noun)} in ${folder}`
  const findings = [
    broken.length > 0 &&
      fault(
        `${of(broken, 'file')} cannot be restored, being empty or incomplete: ${named(broken)}.`,
        'Delete what is not a backup. It does not count as one, nor keep one from being made.',
      ),
    future.length > 0 &&
      fault(
        `${of(future, 'backup')} cannot be of the time in its name, which is still to come: ${named(future)}.`,
        'Correct the clock if it is wrong, and move the file elsewhere. It does not count, nor keep a backup from being made.',
      ),
    others.length > 0 &&
      warning(
        `${of(others, 'backup')} of another install, or of this one before a restore or a change of its key: ${named(others)}.`,
        'They are left alone. Give each install a folder of its own, and delete what you no longer need.',
      ),
  ]
  return findings.filter((found) => found !== false)
}
