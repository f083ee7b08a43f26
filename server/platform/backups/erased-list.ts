import { appendFile, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { lockKeys } from '../database/lock-keys.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../database/pool.ts'
import { failureInWords } from './backup-refusal.ts'
import { UNFINISHED } from './whole-file.ts'

/** The list of erasures beside backups, one JSON object a line: a restored copy is erased again by it. */
export const ERASED_LIST = 'erased.jsonl'

/** An erasure by ids alone. A user who was erased belongs to no account. */
export const Erased = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  accountId: z.uuid().nullable(),
  type: z.enum(['lead', 'partner', 'user']),
  subjectId: z.uuid(),
  subjectIds: z.array(z.uuid()),
  reason: z.enum(['asked', 'retention']),
  /** The author as stored; null if the account's retention erased them. */
  by: z.string().nullable(),
})
export type Erased = z.infer<typeof Erased>

/**
 * Writes all erasures to the list in this folder, whole or not at all. Lines of other installs, and of this one from
 * before a restore, stay.
 */
export const writeErasedList = (db: Database | Transaction, folder: string): Promise<void> =>
  transaction(db, async (tx) => {
    await lockList(tx)
    const path = join(folder, ERASED_LIST)
    const all = new Map([...((await readErasedList(path)) ?? []), ...(await erasedIn(tx))].map((one) => [one.id, one]))
    await writeFile(path + UNFINISHED, [...all.values()].map(lineOf).join(''), { mode: 0o600 })
    await rename(path + UNFINISHED, path)
  })

/** Adds erasures to the list in this folder, once they are committed; adding one twice does no harm. */
export const appendErased = (db: Database, folder: string, ids: string[]): Promise<void> =>
  transaction(db, async (tx) => {
    await lockList(tx)
    const lines = (await erasedIn(tx, ids)).map(lineOf)
    // on its own line, even after one that was cut off
    if (lines.length > 0) await appendFile(join(folder, ERASED_LIST), `\n${lines.join('')}`, { mode: 0o600 })
  })

/**
 * Returns the erasures in a list; null if there is no such file. Unreadable lines are skipped. Refuses, by
 * `BackupRefusal`, a file that cannot be read, such as another user's.
 */
export async function readErasedList(path: string): Promise<Erased[] | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw failureInWords(error, { file: path, lost: 'Nothing was changed.' })
  })
  return text === null ? null : parseErasedList(text)
}

export const parseErasedList = (text: string): Erased[] => text.split('\n').flatMap(parsed)

function parsed(line: string): Erased[] {
  if (line.trim() === '') return []
  try {
    return [Erased.parse(JSON.parse(line))]
  } catch {
    return []
  }
}

const lineOf = (one: Erased) => `${JSON.stringify(one)}\n`

/** One process at a time writes a list, so that none overwrites the line of another. */
const lockList = (tx: Transaction) => lockKeys(tx, [{ accountId: null, name: ERASED_LIST }])

async function erasedIn(db: Queryable, ids: string[] | null = null): Promise<Erased[]> {
  // a backup before a migration may precede the table
  if (!(await db.value<boolean>`select to_regclass('erasures') is not null`)) return []
  const people = await db.many<Erased>`
    select id, at, account_id, subject_type as type, subject_id, subject_ids, reason, by from erasures
    where ${ids}::uuid[] is null or id = any(${ids}::uuid[]) order by at, id`
  const users = await db.many<Erased>`
    select id, erased_at as at, null::uuid as account_id, 'user' as type, id as subject_id, array[id] as subject_ids,
      'asked' as reason, 'system' as by
    from users where erased_at is not null and (${ids}::uuid[] is null or id = any(${ids}::uuid[])) order by erased_at, id`
  return [...people, ...users]
}
