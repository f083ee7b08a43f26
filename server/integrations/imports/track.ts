import { actorOf, type By } from '../../platform/by.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { recorded } from '../../platform/events/happened.ts'
import { refusal } from '../../platform/refusal.ts'
import {
  type Counted,
  deleteFile,
  type ImportRow,
  type ImportState,
  importById,
  importUnderWay,
  insertImport,
  insertRows,
  lockImport,
  type NewImportRow,
  saveAdvance,
  saveCounted,
  setState,
  type Total,
  underWayOf,
} from './queries.ts'

/**
 * Enters an import that is to begin.
 * Refuses: `conflict` while another of the account, or of the connection, is under way.
 */
export async function openImport(
  tx: Transaction,
  by: By,
  row: Omit<NewImportRow, 'id' | 'createdBy'>,
): Promise<string> {
  const id = newId()
  const inserted = await insertImport(tx, { ...row, id, createdBy: actorOf(by) })
  if (inserted === 0) {
    const other = await importUnderWay(tx, row.accountId, row.connectionId)
    throw refusal('import_under_way', other ? { details: { importId: other.id } } : {})
  }
  if (!row.dryRun)
    await recorded(tx, by, row.accountId, 'import.started', { id, changes: { kind: { old: null, new: row.kind } } })
  return id
}

/** Whether something is still to be done for it. */
export const isUnderWay = ({ state }: Pick<ImportRow, 'state'>) =>
  state === 'waiting' || state === 'running' || state === 'undoing'

/** The import, locked, while it is under way; undefined where it has ended meanwhile. */
export async function holdImport(tx: Transaction, id: string): Promise<ImportRow | undefined> {
  const row = await lockImport(tx, id)
  return row && isUnderWay(row) ? row : undefined
}

/** The contribution of a piece of work to an import. */
export type Step = {
  done: number
  created: number
  skipped: number
  failed: number
  totals: Total[]
  settled: Total[]
  assigned: number
}

/** Counts a step and keeps where the next one begins. */
export const advance = (tx: Transaction, row: ImportRow, step: Step, progress: unknown = row.progress) =>
  saveAdvance(tx, row.id, {
    done: row.done + step.done,
    created: row.created + step.created,
    skipped: row.skipped + step.skipped,
    failed: row.failed + step.failed,
    totals: sumOf([...row.totals, ...step.totals]),
    settled: sumOf([...row.settled, ...step.settled]),
    assigned: row.assigned + step.assigned,
    progress,
  })

/** An import as it stands, for whoever runs it. */
export const findImport = importById

/** Keeps what was counted anew, and each of these failures as an error. */
export async function recount(tx: Transaction, row: ImportRow, counted: Omit<Counted, 'failed'>, failures: string[]) {
  const messages = failures.slice(0, KEPT_FAILURES - row.failed)
  if (messages.length > 0)
    await insertRows(
      tx,
      row.accountId,
      row.id,
      messages.map((message, at) => ({
        row: row.failed + at + 1,
        outcome: 'failed',
        field: null,
        message,
        cells: null,
      })),
    )
  await saveCounted(tx, row.id, { ...counted, failed: row.failed + failures.length })
}

/** A provider's unreadable events that are named. */
const KEPT_FAILURES = 1000

/** Ends what is imported of a connection that has ended itself. */
export async function endImportsOf(tx: Transaction, connectionId: string, reason: string) {
  for (const row of await underWayOf(tx, connectionId)) await endImport(tx, row, 'canceled', reason)
}

/** One total a currency. */
export function sumOf(totals: Total[]): Total[] {
  const sums = new Map<string, Total>()
  for (const { currency, count, amount } of totals) {
    const sum = sums.get(currency) ?? { currency, count: 0, amount: 0 }
    sums.set(currency, { currency, count: sum.count + count, amount: sum.amount + amount })
  }
  return [...sums.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1))
}

/** Ends an import, in words where it did not end well; its file is no longer needed. */
export async function endImport(
  tx: Transaction,
  { id }: ImportRow,
  state: Extract<ImportState, 'done' | 'failed' | 'canceled' | 'undone'>,
  reason: string | null = null,
) {
  await setState(tx, id, state, reason)
  await deleteFile(tx, id)
}
