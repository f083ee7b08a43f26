import type { Author } from '../../platform/author.ts'
import { type Transaction, transaction, withSavepoint } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { refusalOfRow } from '../../platform/http/rows.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { lockAccountShared } from '../../program/access/lock-accounts.ts'
import { buildImportContext, type FileKind, type ImportContext } from './kinds/kind.ts'
import { kinds } from './kinds/registry.ts'
import { countUndone, presentImport, undoableUntil } from './present-imports.ts'
import {
  deleteRows,
  type ImportKey,
  lockImport,
  type Made,
  type MadeRow,
  rowsThatMade,
  saveLeftToUndo,
  saveUndone,
  setState,
} from './queries.ts'
import { importQueue } from './queue.ts'
import { endImport, holdImport, importJob } from './track.ts'

/** Stops a running import; the objects it created stay. Refuses: `invalid_state` once it has ended. */
export async function cancelImport(tx: Transaction, by: Author, key: ImportKey) {
  const row = await holdImport(tx, key)
  if (!row || row.state === 'undoing') throw refusal('import_ended')
  await endImport(tx, row, 'canceled')
  await recordActivity(tx, by, row.accountId, 'import.canceled', { id: row.id })
  return presentImport(tx, row)
}

/**
 * Starts to undo an import.
 * Refuses: `invalid_state` if there is nothing to undo, or too late; `conflict` while another is running.
 */
export async function undoImport(tx: Transaction, jobs: Jobs, by: Author, key: ImportKey) {
  const row = (await lockImport(tx, key))!
  const until = undoableUntil(row)
  if (until === null || until <= tx.now.toISOString()) throw refusal('import_not_undoable')
  await setState(tx, row, 'undoing').catch((error) => {
    if (error.code === '23505') throw refusal('import_under_way')
    throw error
  })
  await recordActivity(tx, by, row.accountId, 'import.undone', { id: row.id })
  await jobs.add(tx, importQueue, importJob(row))
  return presentImport(tx, row)
}

/** Rows undone per transaction. */
const SOME = 50

/** Undoes rows, the last first, until all are or the turn is over; returns whether it has ended. */
export async function undoSome(
  { db, config, secrets }: Services,
  key: ImportKey,
  isOver: () => boolean,
): Promise<boolean> {
  for (;;) {
    const ended = await transaction(db, async (tx) => {
      const row = await holdImport(tx, key)
      if (row?.state !== 'undoing') return true
      const kind = kinds[row.kind as keyof typeof kinds]
      const rows = await rowsToUndo(tx, row, kind)
      const account = await lockAccountShared(tx, row.accountId)
      const importing = buildImportContext({ config, secrets }, tx, row, account)
      let left: MadeRow[]
      try {
        left = await undoRows(importing, kind, rows)
      } catch (error) {
        const { message } = refusalOfRow(error)
        // other objects depend on it: the rest stays too, with the reason
        await endImport(tx, row, 'done', `The import couldn’t be undone completely: ${message}`.slice(0, 1000))
        return true
      }
      if (left.length > 0) await saveLeftToUndo(tx, row, left)
      const kept = left.map(({ row }) => row)
      const gone = rows.filter((one) => !kept.includes(one.row))
      await deleteRows(
        tx,
        row,
        gone.map(({ row }) => row),
      )
      await saveUndone(tx, row, countUndone(row) + gone.filter(({ outcome }) => outcome === 'created').length)
      if (rows.length > 0) return false
      await endImport(tx, row, 'undone')
      return true
    })
    if (ended) return true
    if (isOver()) return false
  }
}

/** Returns the next rows to undo: those with nothing but parts that wait for others come last. */
async function rowsToUndo(tx: Transaction, key: ImportKey, { after, undoneLast = [] }: FileKind): Promise<MadeRow[]> {
  const rows = await rowsThatMade(tx, key, SOME, { inOrder: !after, besides: undoneLast })
  return rows.length > 0 || undoneLast.length === 0
    ? rows
    : rowsThatMade(tx, key, SOME, { inOrder: !after, besides: [] })
}

/**
 * Undoes rows together. If something depends on a part that may wait, such as an earlier sale of the file on a lead’s
 * partner, these parts wait for the others; returns what is left of the rows.
 */
async function undoRows(importing: ImportContext, kind: FileKind, rows: MadeRow[]): Promise<MadeRow[]> {
  const undo = (some: Made[][]) =>
    withSavepoint(importing.tx, async () => {
      for (const made of some) await kind.undo(importing, made)
    })
  try {
    await undo(rows.map(({ made }) => made))
    return []
  } catch (error) {
    const parts = rows.map(({ made, ...row }) => ({ ...row, ...partsOf(kind, made) }))
    const left = parts
      .filter(({ last }) => last.length > 0)
      .map(({ first: _, last, ...row }) => ({ ...row, made: last }))
    if (left.length === 0 || parts.every(({ first }) => first.length === 0)) throw error
    await undo(parts.map(({ first }) => first))
    return left
  }
}

const partsOf = ({ undoneLast = [] }: FileKind, made: Made[]) => ({
  first: made.filter(({ type }) => !undoneLast.includes(type)),
  last: made.filter(({ type }) => undoneLast.includes(type)),
})
