import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../platform/database/pool.ts'
import { getOutboxFolder } from '../../platform/outbox.ts'
import type { Services } from '../../platform/services.ts'
import { linksThatWork } from './queries.ts'

const HOUR = 3_600_000
const KEPT = 30 * 24 * HOUR
/** `invitation-{id}-{count}.eml` and the like: names the link in a saved mail. */
const NAME = /^(invitation|password-reset)-([0-9a-f-]{36})(?:-(\d+))?(?:-[0-9a-f-]{36})?\.eml$/

/** A mail that is being saved, or whose process was killed meanwhile. */
const isDraft = (name: string) => name.startsWith('.')

/**
 * Deletes saved mails an hour old whose link was used, replaced or has expired: such a link is useless, and stored
 * links should open nothing. Drafts of that age go too. Mails without a link stay for 30 days.
 */
export async function deleteSavedMails({ db, config }: Services): Promise<void> {
  const folder = getOutboxFolder(config)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml') || isDraft(name))
  const working = await workingLinks(db, names)
  for (const name of names) {
    const file = join(folder, name)
    const kept = await stat(file).catch(() => null)
    if (!kept) continue
    const age = db.now.getTime() - kept.mtimeMs
    const isOver = isDraft(name) || NAME.test(name) ? age > HOUR && !working.has(name) : age > KEPT
    if (isOver) await rm(file, { force: true })
  }
}

/** Returns the mails with a working link. */
async function workingLinks(db: Database, names: string[]) {
  const mails = names.flatMap((name) => {
    const [, kind, id, count] = NAME.exec(name) ?? []
    return kind && id ? [{ name, kind, id, count: Number(count ?? 0) }] : []
  })
  return new Set((await linksThatWork(db, mails)).map(({ name }) => name))
}
