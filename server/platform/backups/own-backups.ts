import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { findKeyCheck } from '../database/key-check.ts'
import type { Queryable } from '../database/pool.ts'
import type { BackupManifest } from './manifest.ts'
import { UNFINISHED } from './whole-file.ts'

const HOUR = 3_600_000

/** Names of backups by the clock; those made before a schema change also contain the first migration's number. */
const NAME = /^tributary-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-before-(\d+))?\.zip$/

export const nameAt = (now: Date) => `tributary-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.zip`
const timeOf = (name: string) => Date.parse(name.replace(NAME, '$1-$2-$3T$4:$5:$6Z'))

export const numberOf = (migration: string) => migration.split('-', 1)[0]!
export const nameBefore = (migration: string, now: Date) =>
  nameAt(now).replace('.zip', `-before-${numberOf(migration)}.zip`)

/** `migration`: number of the migration it precedes. */
export type Backup = { name: string; at: number; bytes: number; migration: string | undefined }

/**
 * Files in BACKUP_DIR with such names; only `scheduled` and `before` are this install's, and only they are ever
 * deleted.
 */
export type Contents = {
  /** By the clock, newest first. */
  scheduled: Backup[]
  /** Before migrations, oldest first. */
  before: Backup[]
  /** Not a complete backup, such as an empty file. */
  broken: string[]
  /** With a time in the future. */
  future: string[]
  /** From another install, or sealed with a former key. */
  others: string[]
}

/** Largest correction of a clock, in milliseconds. */
const AHEAD_MS = HOUR / 6

/**
 * Classifies the backups in a folder. Each contains the check of its install's key, unique even among installs restored
 * from one another. `keyCheck`: that of this install; undefined treats every backup as its own.
 */
export async function classifyBackups(
  folder: string,
  keyCheck: string | null | undefined,
  now: Date,
): Promise<Contents> {
  const contents: Contents = { scheduled: [], before: [], broken: [], future: [], others: [] }
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const { name } = entry
    const [, , , , , , , migration] = NAME.exec(name) ?? []
    if (!entry.isFile() || !NAME.test(name)) continue
    const identity = await identifyBackup(join(folder, name))
    if (identity === 'gone') continue
    if (identity === 'broken' || identity === 'others') contents[identity].push(name)
    else if (keyCheck !== undefined && identity.keyCheck !== keyCheck) contents.others.push(name)
    else if (Math.max(identity.at, timeOf(name)) > now.getTime() + AHEAD_MS) contents.future.push(name)
    else contents[migration ? 'before' : 'scheduled'].push({ name, at: identity.at, bytes: identity.bytes, migration })
  }
  contents.scheduled.sort((one, other) => other.at - one.at)
  contents.before.sort((one, other) => one.at - other.at)
  return contents
}

type Said = { at: number; keyCheck: string | null; bytes: number }
type Known = Said | 'broken'

/** Cache by path, size and time: a backup never changes, and there may be thousands. */
const known = new Map<string, Known>()
const MOST_KNOWN = 20_000

/** Returns which install a backup belongs to; an unreadable file counts as another's. */
async function identifyBackup(file: string): Promise<Known | 'others' | 'gone'> {
  try {
    const { size, mtimeMs } = await stat(file)
    const mark = `${file} ${size} ${mtimeMs}`
    const identity = known.get(mark) ?? (size === 0 ? 'broken' : asSaid(await read(file), size))
    if (known.size > MOST_KNOWN) known.clear()
    known.set(mark, identity)
    return identity
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return 'gone'
    if (code === 'EACCES' || code === 'EPERM') return 'others'
    throw error
  }
}

const asSaid = (manifest: BackupManifest | null, bytes: number): Known =>
  manifest ? { at: Date.parse(manifest.createdAt), keyCheck: manifest.keyCheck, bytes } : 'broken'

/** Reads a manifest; loaded on demand, because no start needs it. */
const read = async (file: string) => (await import('./open-archive.ts')).findManifest(file)

/** Milliseconds without writes after which an unfinished backup is dead. */
const DEAD_AFTER_MS = 60_000

/** Deletes unfinished backups of killed processes, of any install. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(UNFINISHED) || !NAME.test(name.slice(0, -UNFINISHED.length))) continue
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > DEAD_AFTER_MS) await rm(join(folder, name), { force: true })
  }
}

/** Hours of delay that are tolerated: the clock runs hourly, and a large database takes a while. */
export const LATE_HOURS = 3

/**
 * Returns this install's backups in BACKUP_DIR; null without scheduled backups. An unreadable folder counts as empty.
 * `count`: of those by the clock; `isOverdue`: a newer one should exist.
 */
export async function backupHealth(db: Queryable, { backups }: Pick<Config, 'backups'>, now: Date) {
  if (!backups) return null
  const none: Contents = { scheduled: [], before: [], broken: [], future: [], others: [] }
  const contents = await classifyBackups(backups.folder, await findKeyCheck(db), now).catch(() => none)
  return getBackupHealth(contents, backups.everyHours, now)
}

export function getBackupHealth({ scheduled, before }: Contents, everyHours: number, now: Date) {
  const [newest] = [...scheduled, ...before].sort((one, other) => other.at - one.at)
  return {
    everyHours,
    count: scheduled.length,
    newestAt: newest ? new Date(newest.at).toISOString() : null,
    newestBytes: newest?.bytes ?? null,
    isOverdue: !newest || now.getTime() - newest.at > (everyHours + LATE_HOURS) * HOUR,
  }
}
