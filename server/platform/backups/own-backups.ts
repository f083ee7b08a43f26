import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { keyCheckOf } from '../database/key-check.ts'
import type { Queryable } from '../database/pool.ts'
import type { Manifest } from './manifest.ts'
import { UNFINISHED } from './unfinished.ts'

const HOUR = 3_600_000

/** The clock writes files with these names, and what is written before the schema is changed adds the first migration's number. */
const NAME = /^tributary-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-before-(\d+))?\.zip$/

export const nameAt = (now: Date) => `tributary-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.zip`
const timeOf = (name: string) => Date.parse(name.replace(NAME, '$1-$2-$3T$4:$5:$6Z'))

export const numberOf = (migration: string) => migration.split('-', 1)[0]!
export const nameBefore = (migration: string, now: Date) =>
  nameAt(now).replace('.zip', `-before-${numberOf(migration)}.zip`)

/** `migration`: the number of the one that it was made before. */
export type Backup = { name: string; at: number; bytes: number; migration: string | undefined }

/** Files in BACKUP_DIR with such names; only `scheduled` and `before` are this install's, and only they are ever deleted. */
export type Contents = {
  /** Those written by the clock, the newest first. */
  scheduled: Backup[]
  /** Of before a migration, the oldest first. */
  before: Backup[]
  /** No backup, or not a whole one: such as an empty file. */
  broken: string[]
  /** Of a time that is still to come. */
  future: string[]
  /** Of another install, or sealed with a former key. */
  others: string[]
}

/** A clock is not set back further while it is corrected. */
const AHEAD_MS = HOUR / 6

/**
 * Tells whose backups lie in a folder. Each holds the check of its install's key, which no other install has, not even one
 * that was restored from it. `keyCheck`: that of this install; undefined takes every backup for its own.
 */
export async function contentsOf(folder: string, keyCheck: string | null | undefined, now: Date): Promise<Contents> {
  const contents: Contents = { scheduled: [], before: [], broken: [], future: [], others: [] }
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const { name } = entry
    const [, , , , , , , migration] = NAME.exec(name) ?? []
    if (!entry.isFile() || !NAME.test(name)) continue
    const said = await saidBy(join(folder, name))
    if (said === 'gone') continue
    if (said === 'broken' || said === 'others') contents[said].push(name)
    else if (keyCheck !== undefined && said.keyCheck !== keyCheck) contents.others.push(name)
    else if (Math.max(said.at, timeOf(name)) > now.getTime() + AHEAD_MS) contents.future.push(name)
    else contents[migration ? 'before' : 'scheduled'].push({ name, at: said.at, bytes: said.bytes, migration })
  }
  contents.scheduled.sort((one, other) => other.at - one.at)
  contents.before.sort((one, other) => one.at - other.at)
  return contents
}

type Said = { at: number; keyCheck: string | null; bytes: number }
type Known = Said | 'broken'

/** By path, size and time: a backup never changes, and there may be thousands. */
const known = new Map<string, Known>()
const MOST_KNOWN = 20_000

/** An unreadable one was written by somebody else. */
async function saidBy(file: string): Promise<Known | 'others' | 'gone'> {
  try {
    const { size, mtimeMs } = await stat(file)
    const mark = `${file} ${size} ${mtimeMs}`
    const said = known.get(mark) ?? (size === 0 ? 'broken' : asSaid(await read(file), size))
    if (known.size > MOST_KNOWN) known.clear()
    known.set(mark, said)
    return said
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return 'gone'
    if (code === 'EACCES' || code === 'EPERM') return 'others'
    throw error
  }
}

const asSaid = (manifest: Manifest | null, bytes: number): Known =>
  manifest ? { at: Date.parse(manifest.createdAt), keyCheck: manifest.keyCheck, bytes } : 'broken'

/** No start needs it. */
const read = async (file: string) => (await import('./open-archive.ts')).manifestOf(file)

/** A backup without writes for this long is dead. */
const DEAD_AFTER_MS = 60_000

/** Removes what a process that was killed has left, whichever install it was of. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(UNFINISHED) || !NAME.test(name.slice(0, -UNFINISHED.length))) continue
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > DEAD_AFTER_MS) await rm(join(folder, name), { force: true })
  }
}

/** The clock strikes once an hour, and a large database takes a while. */
export const LATE_HOURS = 3

/**
 * This install's backups in BACKUP_DIR; null if it backs up nothing. A folder that cannot be read holds none. `count`: of
 * those written by the clock; `isOverdue`: there should be a newer one.
 */
export async function backupHealth(db: Queryable, { backups }: Pick<Config, 'backups'>, now: Date) {
  if (!backups) return null
  const none: Contents = { scheduled: [], before: [], broken: [], future: [], others: [] }
  const contents = await contentsOf(backups.folder, await keyCheckOf(db), now).catch(() => none)
  return healthOf(contents, backups.everyHours, now)
}

export function healthOf({ scheduled, before }: Contents, everyHours: number, now: Date) {
  const [newest] = [...scheduled, ...before].sort((one, other) => other.at - one.at)
  return {
    everyHours,
    count: scheduled.length,
    newestAt: newest ? new Date(newest.at).toISOString() : null,
    newestBytes: newest?.bytes ?? null,
    isOverdue: !newest || now.getTime() - newest.at > (everyHours + LATE_HOURS) * HOUR,
  }
}
