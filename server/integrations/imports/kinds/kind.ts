import { Email, GivenReferralCode, orEmpty } from '#contract/values.ts'
import { type Author, parseActor } from '../../../platform/author.ts'
import type { Transaction } from '../../../platform/database/pool.ts'
import { eachRow, refusalOfRow } from '../../../platform/http/rows.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Install } from '../../../platform/services.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { type ImportRow, type Made, rowsCreated, rowsNotFailed, type StoredWarning, type Total } from '../queries.ts'

/** The context in which a kind's rows are imported. */
export type ImportContext = {
  tx: Transaction
  install: Install
  by: Author
  account: AccountFacts
  importId: string
  /** Whether rows marked as paid are settled by this file, or by imported payouts. */
  settlePaid: boolean
  /** Whether the partners it creates are invited. */
  sendInvitations: boolean
  /** Rolls each batch back. */
  dryRun: boolean
}

/**
 * `sum`: its amount, for the totals of the import; `settled`: the part settled as paid elsewhere. `assigned`: a known
 * lead got its partner. A `message` with `created` is a warning.
 */
export type RowOutcome =
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

export type Turn = 'first' | 'second' | 'last'

/** A kind of file that can be imported. */
export type FileKind<Row = unknown> = {
  /** Runs before any database query. Refuses by field. */
  check(values: Values): Row
  /** Rows with the same key are the same object: only a file's first that is taken counts. Null: unknown. */
  keyOf(row: Row): string | null
  /** Returns in what two rows with the same key differ, so that the later one is refused. */
  differenceOf?(first: Row, row: Row): string | null
  /** Distinguishes rows by more than keys: gets each row in order, with the earlier ones. */
  inFile?(dryRun: boolean): (row: Row, number: number) => Row | RowOutcome
  /**
   * When the row is imported: with the first, by default, in a second reading of the file, or after all others, once
   * `inFile` has got every row. Rows of different turns share no transaction.
   */
  turnOf?(row: Row): Turn
  /**
   * The key of the row that must come first, such as a parent's: rows are imported in that order, else in the file's.
   */
  after?(row: Row): string | null
  /** Rows per transaction. */
  batch: number
  /** Returns one outcome per row, in order. No row fails another. */
  apply(importing: ImportContext, rows: Row[]): Promise<RowOutcome[]>
  /** Returns warnings about the whole import after all rows, the first hundred. */
  warnings?(importing: ImportContext): Promise<StoredWarning[]>
  /**
   * Undoes the objects a row created, or refuses if something else depends on one or it was paid; deleted ones count as
   * undone.
   */
  undo(importing: ImportContext, made: Made[]): Promise<void>
  /** Types of objects that may be undone after all others, if other rows depend on them. */
  undoneLast?: readonly Made['type'][]
}

/** Applies rows one by one, each rolled back separately if refused. */
export const eachByItself = <Row>(tx: Transaction, rows: Row[], apply: (row: Row) => Promise<RowOutcome>) =>
  eachRow(tx, apply, refusedRow)(rows)

/** Returns the number of earlier calls with this text. */
export function countOccurrence(times: Map<string, number>, what: string) {
  const before = times.get(what) ?? 0
  times.set(what, before + 1)
  return before
}

/** The outcome of a row that repeats an earlier one. */
export const sameAs = (row: number): RowOutcome => ({ outcome: 'skipped', message: `Same as row ${row}.` })

/** The outcome of a row that has the ID of an earlier one, but differs from it in this. */
export const differsFrom = (row: number, what: string): RowOutcome => ({
  outcome: 'failed',
  field: 'externalId',
  message: `Row ${row} has this ID with another ${what}.`,
})

/** Returns which of these rows are imported, or were here already; one that was refused is no other row's equal. */
export const rowsTaken = async (
  { tx, account, importId }: Pick<ImportContext, 'tx' | 'account' | 'importId'>,
  rows: number[],
) => new Set(rows.length === 0 ? [] : await rowsNotFailed(tx, { id: importId, accountId: account.id }, rows))

/** Returns those of these earlier rows that a dry run has imported and rolled back, each once, in the order of the file. */
export async function rowsRolledBack<R extends { number: number }>(
  { tx, account, importId }: ImportContext,
  rows: R[],
) {
  if (rows.length === 0) return []
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  const tried = await rowsCreated(tx, { id: importId, accountId: account.id }, [...byNumber.keys()])
  return tried.sort((one, other) => one - other).map((number) => byNumber.get(number)!)
}

/** The outcome of a refused row. */
export function refusedRow(error: unknown): RowOutcome {
  const { fields = {}, message } = refusalOfRow(error)
  const [first] = Object.entries(fields)
  return { outcome: 'failed', field: first?.[0] ?? null, message: (first?.[1] ?? message).slice(0, 1000) }
}

/** The settings of an import of a file. */
export const getFileSettings = ({ settings }: ImportRow) =>
  settings as Extract<ImportRow['settings'], { mapping: unknown }>

/** The context in which a kind's rows are imported, or undone. */
export const buildImportContext = (
  install: Install,
  tx: Transaction,
  row: ImportRow,
  account: AccountFacts,
): ImportContext => ({
  tx,
  install,
  by: parseActor(row.createdBy),
  account,
  importId: row.id,
  settlePaid: getFileSettings(row).settlePaid ?? true,
  sendInvitations: getFileSettings(row).sendInvitations ?? false,
  dryRun: row.dryRun,
})

/** Fields by which a row names its partner. */
export const partnerFields = {
  partnerEmail: orEmpty(Email).optional(),
  referralCode: orEmpty(GivenReferralCode).optional(),
}

/** Converts values to their fields' types: all text except amounts. */
export const toFieldTypes = (values: Record<string, string | number>, amounts: readonly string[] = []) =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, amounts.includes(field) ? value : String(value)]),
  )

/** Ignores that the object to undo no longer exists. */
export const ifGone = (error: unknown) => {
  if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
}
