import type { By } from '../../../platform/by.ts'
import { savepoint, type Transaction } from '../../../platform/database/pool.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Install } from '../../../platform/services.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import type { Made, Total } from '../queries.ts'

/** The context in which a kind's rows are imported. */
export type Importing = {
  tx: Transaction
  install: Install
  by: By
  account: AccountFacts
  importId: string
  /** Whether what a file marks as paid is settled by it, or by its payouts. */
  settlePaid: boolean
  /** Each batch is undone. */
  dryRun: boolean
}

/**
 * `sum`: what it comes to, for the totals of the import; `settled`: what of it is settled as paid elsewhere. `assigned`: a
 * known lead got its partner. `message` of what was created warns.
 */
export type Outcome =
  | {
      outcome: 'created'
      made: Made[]
      sum?: Omit<Total, 'count'>
      settled?: Omit<Total, 'count'> | undefined
      assigned?: boolean
      message?: string | null
    }
  | { outcome: 'skipped'; message: string; made?: Made[]; assigned?: boolean }
  | { outcome: 'failed'; field: string | null; message: string }

type Values = Record<string, string | number>

/** A kind of file that can be imported. */
export type ImportKind<Row = unknown> = {
  /** Checked before anything is asked of the database. Refuses by field. */
  check(values: Values): Row
  /** Rows with the same key are the same thing: of a file only the first counts. Null: nothing tells. */
  keyOf(row: Row): string | null
  /** Tells rows apart by more than keys: sees each row of a file in its order, with the earlier ones. */
  inFile?(): (row: Row, number: number) => Row | Outcome
  /** Rows that are taken after all others of the file. */
  isTakenLast?(row: Row): boolean
  /** The key of the row that must come first, such as a parent's: rows are taken in that order, else in the file's. */
  after?(row: Row): string | null
  /** Rows taken in one transaction. */
  batch: number
  /** One outcome a row, in their order. None fails another. */
  apply(importing: Importing, rows: Row[]): Promise<Outcome[]>
  /** Once all rows are taken: what is to be known of the whole, the first hundred. */
  warnings?(importing: Importing): Promise<string[]>
  /**
   * Takes back what a row created, or refuses where something else depends on it or it was paid; what is gone meanwhile
   * counts as taken back.
   */
  undo(importing: Importing, made: Made[]): Promise<void>
}

/** Applies rows one after the other, each undone by itself where it is refused. */
export async function eachByItself<Row>(
  tx: Transaction,
  rows: Row[],
  apply: (row: Row) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const row of rows) outcomes.push(await savepoint(tx, () => apply(row)).catch(failureOf))
  return outcomes
}

/** Returns how often it was asked for this before. */
export function nextOf(times: Map<string, number>, what: string) {
  const before = times.get(what) ?? 0
  times.set(what, before + 1)
  return before
}

/** A row that tells what an earlier one told. */
export const sameAs = (row: number): Outcome => ({ outcome: 'skipped', message: `The same as row ${row}.` })

/** A row that was refused. A database that is busy or away says nothing of the row: that is thrown on. */
export function failureOf(error: unknown): Outcome {
  if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
  const [first] = Object.entries(error.fields ?? {})
  return { outcome: 'failed', field: first?.[0] ?? null, message: (first?.[1] ?? error.message).slice(0, 1000) }
}
