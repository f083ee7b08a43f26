import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { UNFINISHED } from './unfinished.ts'

const HOUR = 3_600_000

/** What the clock writes is called so. Beside it only what was written before a migration is ever deleted. */
export const OWN = /^tributary-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.zip$/

export const nameAt = (now: Date) => `tributary-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.zip`
export const timeOf = (name: string) => Date.parse(name.replace(OWN, '$1-$2-$3T$4:$5:$6Z'))

/** What is written before the schema is changed is called so, by the number of the first migration. */
export const BEFORE = /^tributary-\d{8}T\d{6}Z-before-(\d+)\.zip$/

export const numberOf = (migration: string) => migration.split('-', 1)[0]!
export const nameBefore = (migration: string, now: Date) =>
  nameAt(now).replace('.zip', `-before-${numberOf(migration)}.zip`)

const filesIn = async (folder: string, pattern: RegExp) =>
  (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map(({ name }) => name)
    .sort()

/** The newest first. */
export const ownBackups = async (folder: string) => (await filesIn(folder, OWN)).reverse()

/** Of before a migration, the oldest first. */
export const backupsBefore = (folder: string) => filesIn(folder, BEFORE)

/** What a process that was killed has left of those called so. */
export async function removeUnfinished(folder: string, pattern: RegExp): Promise<void> {
  for (const name of await readdir(folder))
    if (name.endsWith(UNFINISHED) && pattern.test(name.slice(0, -UNFINISHED.length))) await rm(join(folder, name))
}

/** The clock strikes once an hour, and a large database takes a while. */
const LATE_HOURS = 3

/**
 * What the clock has written into BACKUP_DIR; null where it backs up nothing. A folder that cannot be read holds none.
 * `isOverdue`: there should be a newer one.
 */
export async function backupHealth({ backups }: Pick<Config, 'backups'>, now: Date) {
  if (!backups) return null
  const { folder, everyHours } = backups
  const names = await ownBackups(folder).catch(() => [])
  const [newest] = names
  const at = newest === undefined ? null : timeOf(newest)
  const file = newest === undefined ? undefined : await stat(join(folder, newest)).catch(() => undefined)
  return {
    everyHours,
    count: names.length,
    newestAt: at === null ? null : new Date(at).toISOString(),
    newestBytes: file?.size ?? null,
    isOverdue: at === null || now.getTime() - at > (everyHours + LATE_HOURS) * HOUR,
  }
}
