import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '../../platform/services.ts'
import { mailFigures } from './queries.ts'
import { mailServer, outboxOf } from './transport.ts'

const DAY_MS = 86_400_000

/** How mail is doing: by which server it goes, when the last one did, and how many failed in the last 24 hours. */
export async function mailHealth({ config, db }: Pick<Services, 'config' | 'db'>) {
  const [figures, { bytes, hasMore }] = await Promise.all([
    mailFigures(db, new Date(db.now.getTime() - DAY_MS)),
    sizeOf(outboxOf(config)),
  ])
  return { server: mailServer(config), ...figures, outboxBytes: bytes, outboxHasMore: hasMore }
}

/** A mail is a file, and each is asked for its size: where there are more, that there are says enough. */
const MOST_FILES = 1000
/** Files whose sizes are asked for at once. */
const AT_ONCE = 64

/** A file that goes meanwhile counts nothing, nor does a folder that is not there yet. */
async function sizeOf(folder: string): Promise<{ bytes: number; hasMore: boolean }> {
  const names = await firstNames(folder).catch(() => [])
  let bytes = 0
  for (let from = 0; from < Math.min(names.length, MOST_FILES); from += AT_ONCE) {
    const some = names.slice(from, Math.min(from + AT_ONCE, MOST_FILES))
    const files = await Promise.all(some.map((name) => stat(join(folder, name)).catch(() => null)))
    for (const file of files) bytes += file?.size ?? 0
  }
  return { bytes, hasMore: names.length > MOST_FILES }
}

/** One more than are looked at. */
async function firstNames(folder: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of await opendir(folder)) if (names.push(name) > MOST_FILES) break
  return names
}
