import { type Author, toActor } from '../../platform/author.ts'
import { findAccountId } from '../../platform/database/by-key.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { refusal } from '../../platform/refusal.ts'
import {
  deleteFile,
  type ImportCounts,
  type ImportKey,
  type ImportRow,
  type ImportState,
  importById,
  importUnderWay,
  insertImport,
  insertRows,
  lockImport,
  lockRunningImports,
  type NewImportRow,
  saveCounts,
  setState,
  type Total,
} from './queries.ts'
import type { ImportJob } from './queue.ts'

/**
 * Inserts an import to be started.
 * Refuses: `conflict` while another of the account, or of the connection, is running.
 */
export async function openImport(
  tx: Transaction,
  by: Author,
  row: Omit<NewImportRow, 'id' | 'createdBy'>,
): Promise<ImportKey> {
  const id = newId()
  const inserted = await insertImport(tx, { ...row, id, createdBy: toActor(by) })
  if (inserted === 0) {
    const other = await importUnderWay(tx, row.accountId, row.connectionId)
    throw refusal('import_under_way', other ? { details: { importId: other.id } } : {})
  }
  if (!row.dryRun)
    await recordActivity(tx, by, row.accountId, 'import.started', {
      id,
      changes: { kind: { old: null, new: row.kind } },
    })
  return { id, accountId: row.accountId }
}

/** Whether it still has work to do. */
export const isUnderWay = ({ state }: Pick<ImportRow, 'state'>) =>
  state === 'waiting' || state === 'running' || state === 'undoing'

/** Locks the import if it is running; undefined if it has ended meanwhile. */
export async function holdImport(tx: Transaction, key: ImportKey): Promise<ImportRow | undefined> {
  const row = await lockImport(tx, key)
  return row && isUnderWay(row) ? row : undefined
}

/** The contribution of a piece of work to an import. */
export type ImportStep = Pick<ImportCounts, 'created' | 'skipped' | 'failed' | 'totals' | 'settled' | 'assigned'>

/** Adds a step to the counts. */
export const countStep = (tx: Transaction, row: ImportRow, step: ImportStep) =>
  saveCounts(tx, row, {
    ...row,
    created: row.created + step.created,
    skipped: row.skipped + step.skipped,
    failed: row.failed + step.failed,
    totals: sumByCurrency([...row.totals, ...step.totals]),
    settled: sumByCurrency([...row.settled, ...step.settled]),
    assigned: row.assigned + step.assigned,
  })

/** Finds an import with its current state, for the rooms that run it. */
export const findImport = importById

/** Returns undefined if the import of a job no longer exists. */
export async function importOfJob(db: Queryable, { importId, ...job }: ImportJob): Promise<ImportKey | undefined> {
  const accountId = job.accountId ?? (await findAccountId(db, sql`imports`, importId))
  return accountId === undefined ? undefined : { id: importId, accountId }
}

export const importJob = ({ id, accountId }: ImportKey): ImportJob => ({ importId: id, accountId })

/** Stores recounted values, and each of these failures as an error. */
export async function storeCounts(
  tx: Transaction,
  row: ImportRow,
  counted: Pick<ImportCounts, 'created' | 'skipped' | 'totals' | 'unattributed' | 'progress' | 'reason'>,
  failures: string[],
) {
  const rows = failures.slice(0, Math.max(0, MOST_FAILURES - row.failed)).map((message, at) => ({
    row: row.failed + at + 1,
    outcome: 'failed' as const,
    field: null,
    message,
    cells: null,
  }))
  if (rows.length > 0) await insertRows(tx, row, rows)
  await saveCounts(tx, row, { ...row, ...counted, failed: row.failed + failures.length })
}

/** Most errors stored for a provider's unreadable events. */
const MOST_FAILURES = 1000

/** Ends the imports of a connection that has ended. */
export async function endConnectionImports(
  tx: Transaction,
  connection: { id: string; accountId: string },
  reason: string,
) {
  for (const row of await lockRunningImports(tx, connection)) await endImport(tx, row, 'canceled', reason)
}

/** Sums totals by currency. */
export function sumByCurrency(totals: Total[]): Total[] {
  const sums = new Map<string, Total>()
  for (const { currency, count, amount } of totals) {
    const sum = sums.get(currency) ?? { currency, count: 0, amount: 0 }
    sums.set(currency, { currency, count: sum.count + count, amount: sum.amount + amount })
  }
  return [...sums.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1))
}

/** Ends an import, with a reason if it failed; deletes its file, which is no longer needed. */
export async function endImport(
  tx: Transaction,
  key: ImportKey,
  state: Extract<ImportState, 'done' | 'failed' | 'canceled' | 'undone'>,
  reason: string | null = null,
) {
  await setState(tx, key, state, reason)
  await deleteFile(tx, key)
}
