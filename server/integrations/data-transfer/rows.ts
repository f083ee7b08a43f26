import { createHash } from 'node:crypto'
import { BYTE_ORDER_MARK, guardFormula, removeGuard } from '../../platform/csv/csv.ts'
import { listPersonal } from '../../platform/database/declare-tables.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { compileSql, joinSql, rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { accountScope, ledgerTables, type PortableTable, sortByReferences } from './tables.ts'

// Rows as lines of text, identical in every install: each value as PostgreSQL prints it, quoted, and an empty cell for
// null, so that an empty text differs from it.

export type Value = string | null

/** A table as it is in the database: its exported columns, and PostgreSQL's type of every column. */
export type ReadTable = PortableTable & { columns: readonly string[]; types: ReadonlyMap<string, string> }

/** Returns the exported tables in their order. Never includes `account_id`, which the import sets, in their columns. */
export async function readTables(db: Queryable): Promise<ReadTable[]> {
  const rows = await db.many<{ table: string; column: string; type: string }>`
    select c.relname::text as table, a.attname::text as column, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`
  const found = Map.groupBy(rows, (row) => row.table)
  return (await sortByReferences(db)).map((table) => {
    const types = new Map(found.get(table.name)!.map(({ column, type }) => [column, type]))
    const { first = [], stays = {} } = table
    const left = new Set(['account_id', ...Object.values(stays).flat()])
    const columns = [...new Set([...first, ...types.keys()])].filter(
      (column) => !left.has(column) && !/_(sealed|hash)$/.test(column),
    )
    return { ...table, columns, types }
  })
}

const NUMBERS = new Set(['smallint', 'integer', 'bigint', 'numeric'])

/** Returns for each column whether it is numeric: such values are never taken for formulas. */
export const numericColumns = ({ columns, types }: ReadTable) =>
  columns.map((column) => NUMBERS.has(types.get(column)!))

/** Formats one line. */
export function csvLine(values: readonly Value[], areNumbers: readonly boolean[]): string {
  const cells = values.map((value, at) => {
    if (value === null) return ''
    const text = areNumbers[at] ? value : guardFormula(value)
    return `"${text.replaceAll('"', '""')}"`
  })
  return `${cells.join(',')}\r\n`
}

/** Returns the original value of a cell written by `csvLine`. */
export const fromCell = (cell: Value, isNumber: boolean): Value =>
  cell === null || isNumber ? cell : removeGuard(cell)

export const buildHeader = ({ columns }: ReadTable) => csvLine(columns, [])

const AT_ONCE = 500

const select = (accountId: string, table: ReadTable, rest: Sql) => {
  const columns = table.columns.map((column) => rawSql(`t.${column}::text`))
  return compileSql(
    sql`select ${joinSql(columns, ', ')} from ${rawSql(table.view ?? table.name)} t where ${accountScope(table, accountId)} ${rest}`,
  )
}

/** Yields the account's rows of a table, a few hundred at a time, with a cursor of the transaction. */
async function* rowsOf(tx: Transaction, accountId: string, table: ReadTable): AsyncGenerator<Value[][]> {
  const { text, values } = select(accountId, table, sql`order by ${rawSql(orderOf(table))}`)
  const cursor = `rows_of_${table.name}`
  await tx.client.query(`declare ${cursor} no scroll cursor for ${text}`, values)
  const atOnce = table.atOnce ?? AT_ONCE
  const fetch = { text: `fetch ${atOnce} from ${cursor}`, rowMode: 'array' as const }
  for (;;) {
    const { rows } = await tx.client.query<Value[]>(fetch)
    if (rows.length > 0) yield rows
    if (rows.length < atOnce) break
  }
  await tx.client.query(`close ${cursor}`)
}

const orderOf = ({ order = 'id' }: ReadTable) =>
  order
    .split(', ')
    .map((column) => `t.${column}`)
    .join(', ')

/** A piece of a file, and the number of rows that end in it. */
type Piece = { rows: number; bytes: Buffer }

/** Yields a table's file: a byte order mark, its columns, its rows. */
export async function* tableLines(tx: Transaction, accountId: string, table: ReadTable): AsyncGenerator<Piece> {
  const areNumbers = numericColumns(table)
  yield { rows: 0, bytes: Buffer.from(BYTE_ORDER_MARK + buildHeader(table)) }
  for await (const rows of rowsOf(tx, accountId, table))
    yield { rows: rows.length, bytes: Buffer.from(rows.map((row) => csvLine(row, areNumbers)).join('')) }
}

/** Returns a sample of its lines in no particular order. */
export async function firstLines(tx: Transaction, accountId: string, table: ReadTable): Promise<Piece> {
  const { text, values } = select(accountId, table, sql`limit ${table.atOnce ?? AT_ONCE}`)
  const { rows } = await tx.client.query<Value[]>({ text, values, rowMode: 'array' })
  const areNumbers = numericColumns(table)
  return { rows: rows.length, bytes: Buffer.from(rows.map((row) => csvLine(row, areNumbers)).join('')) }
}

/** `2` leaves personal columns out, so that erasing a person does not change it; `1` is that of earlier releases. */
export const digestVersions = [2, 1] as const
export type DigestVersion = (typeof digestVersions)[number]

/** Returns the digest of the ledger's rows in the database: the same in every install. */
export async function readLedgerDigest(
  tx: Transaction,
  accountId: string,
  version: DigestVersion = 2,
): Promise<string> {
  const whole = createHash('sha256')
  if (version > 1) whole.update(`version ${version}\n`)
  const tables = await readTables(tx)
  for (const ledgerTable of ledgerTables) {
    const table = tables.find(({ name }) => name === ledgerTable)!
    const personal = version > 1 ? listPersonal(table.name) : []
    const columns = table.columns.filter((column) => !personal.includes(column))
    const hash = createHash('sha256')
    for await (const { bytes } of tableLines(tx, accountId, { ...table, columns })) hash.update(bytes)
    whole.update(`${table.name} ${hash.digest('hex')}\n`)
  }
  return whole.digest('hex')
}
