import type { By } from '../../platform/author.ts'
import { savepoint, type Transaction, transaction } from '../../platform/database/pool.ts'
import { recorded } from '../../platform/events/happened.ts'
import { refusalOfRow } from '../../platform/http/rows.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { holdAccount } from '../../program/access/hold-accounts.ts'
import { importingOf } from './kinds/kind.ts'
import { kinds } from './kinds/registry.ts'
import { presentImport, undoableUntil, undoneOf } from './present-imports.ts'
import { deleteRows, type ImportKey, lockImport, rowsThatMade, saveUndone, setState } from './queries.ts'
import { importQueue } from './queue.ts'
import { endImport, holdImport, importJob } from './track.ts'

/** Stops a running import; the objects it created stay. Refuses: `invalid_state` once it has ended. */
export async function cancelImport(tx: Transaction, by: By, key: ImportKey) {
  const row = await holdImport(tx, key)
  if (!row || row.state === 'undoing') throw refusal('import_ended')
  await endImport(tx, row, 'canceled')
  await recorded(tx, by, row.accountId, 'import.canceled', { id: row.id })
  return presentImport(tx, row)
}

/**
 * Starts to undo an import.
 * Refuses: `invalid_state` if there is nothing to undo, or too late; `conflict` while another is running.
 */
export async function undoImport(tx: Transaction, jobs: Jobs, by: By, key: ImportKey) {
  const row = (await lockImport(tx, key))!
  const until = undoableUntil(row)
  if (until === null || until <= tx.now.toISOString()) throw refusal('import_not_undoable')
  await setState(tx, row, 'undoing').catch((error) => {
    if (error.code === '23505') throw refusal('import_under_way')
    throw error
  })
  await recorded(tx, by, row.accountId, 'import.undone', { id: row.id })
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
      const rows = await rowsThatMade(tx, row, SOME, !kind.after)
      const account = await holdAccount(tx, row.accountId)
      const importing = importingOf({ config, secrets }, tx, row, account)
      try {
        await savepoint(tx, async () => {
          for (const { made } of rows) await kind.undo(importing, made)
        })
      } catch (error) {
        const { message } = refusalOfRow(error)
        // other objects depend on it: the rest stays too, with the reason
        await endImport(tx, row, 'done', `The import couldn’t be undone completely: ${message}`.slice(0, 1000))
        return true
      }
      await deleteRows(
        tx,
        row,
        rows.map(({ row }) => row),
      )
      await saveUndone(tx, row, undoneOf(row) + rows.filter(({ outcome }) => outcome === 'created').length)
      if (rows.length === SOME) return false
      await endImport(tx, row, 'undone')
      return true
    })
    if (ended) return true
    if (isOver()) return false
  }
}
