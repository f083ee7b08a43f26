import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { getOutboxFolder } from '../../platform/outbox.ts'
import type { Services } from '../../platform/services.ts'
import { mailFigures } from './queries.ts'
import { mailServer } from './transport.ts'

const DAY_MS = 86_400_000

/** Returns the state of mail: its server, the time of the last mail, and the failures in the last 24 hours. */
export async function mailHealth({ config, db }: Pick<Services, 'config' | 'db'>) {
  const [figures, { bytes, hasMore }] = await Promise.all([
    mailFigures(db, new Date(db.now.getTime() - DAY_MS)),
    sizeOf(getOutboxFolder(config)),
  ])
  return { server: mailServer(config), ...figures, outboxBytes: bytes, outboxHasMore: hasMore }
}

/** Most files whose sizes are read; beyond, only that there are more. */
const MOST_FILES = 1000
/** File sizes read concurrently. */
const AT_ONCE = 64

/** Sums sizes; a file deleted meanwhile counts zero, and so does a missing folder. */
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

/** Returns one name more than are read. */
async function firstNames(folder: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of await opendir(folder)) if (names.push(name) > MOST_FILES) break
  return names
}
