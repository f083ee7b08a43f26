import type { Transaction } from './pool.ts'
import { join, raw, type Sql } from './sql.ts'

/**
 * A column's type in SQL, whether it may be null, and its name if it differs from the field's. `T` is the type when
 * read.
 */
export type Column<T> = { type: string; isNullable: boolean; name?: string; readonly read?: T }

const column = <T>(type: string): Column<T> => ({ type, isNullable: false })
export const uuid = column<string>('uuid')
export const text = <T extends string = string>() => column<T>('text')
export const bigint = column<number>('bigint')
export const integer = column<number>('integer')
export const smallint = column<number>('smallint')
export const numeric = column<number>('numeric')
export const boolean = column<boolean>('boolean')
export const integers = column<number[]>('integer[]')
export const date = column<string>('date')
export const instant = column<string>('timestamptz')
export const json = <T>() => column<T>('jsonb')
export const nullable = <T>(column: Column<T>): Column<T | null> => ({ ...column, isNullable: true })
export const named = <T>(name: string, column: Column<T>): Column<T> => ({ ...column, name })

type Columns = Record<string, Column<unknown>>

/** A row as read. */
export type RowOf<C extends Columns> = { [F in keyof C]: C[F] extends Column<infer T> ? T : never }
type Empty<Row> = { [F in keyof Row]: null extends Row[F] ? F : never }[keyof Row]
/** A row to insert: nullable fields may be omitted. */
export type NewOf<Row> = Omit<Row, Empty<Row>> & { [F in Empty<Row>]?: Row[F] | undefined }
/** The updated fields of a row; an undefined one keeps its value. */
export type ChangeOf<Row> = { [F in keyof Row]?: Row[F] | undefined }
/** Does not compile if a given field has no column, so that no input is silently dropped. */
export type Exactly<Given, Row> = Given & { [F in Exclude<keyof Given, keyof Row>]: never }

/** Defines the columns of a table once: the row's type, reads and writes are derived from it. */
export function columns<C extends Columns>(of: C) {
  const all = Object.entries(of).map(([field, { type, isNullable, name }]) => ({
    field,
    type,
    isNullable,
    name: name ?? snakeCase(field),
  }))
  const list = (piece: (column: (typeof all)[number]) => string): Sql =>
    join(
      all.map((column) => raw(piece(column))),
      ', ',
    )
  const named = (row: { [F in keyof C]?: unknown }) =>
    Object.fromEntries(all.map(({ field, name }) => [name, row[field]]))
  return {
    all,
    /** `id, first_name`, for an insert or an update. */
    names: list(({ name }) => name),
    /** `id uuid, first_name text`, to declare a record read from JSON. */
    declared: list(({ name, type }) => `${name} ${type}`),
    /** Columns of the table with this alias, each under its field's name. */
    from: (alias: string): Sql => list(({ field, name }) => `${alias}.${name} as ${snakeCase(field)}`),
    /** Formats a row, or a part of one, as JSON with the columns' names. */
    json: (row: ChangeOf<RowOf<C>>): string => JSON.stringify(named(row)),
    /**
     * Formats rows as JSON, for `jsonb_to_recordset`. For a few dozen rows it is as fast as arrays of values, for one
     * row faster; only for hundreds it takes twice as long, some milliseconds.
     */
    jsonOf: (rows: readonly NewOf<RowOf<C>>[]): string => JSON.stringify(rows.map((row) => named(row as object))),
  }
}

type Table<C extends Columns> = ReturnType<typeof columns<C>>
type Stamps = 'createdAt' | 'updatedAt'

/** Inserts a row into a table with times of creation and last change; omitted fields are null. */
export function insertStamped<C extends Columns>(
  tx: Transaction,
  table: string,
  { names, declared, json }: Table<C>,
  row: Omit<ChangeOf<RowOf<C>>, Stamps>,
) {
  const now = tx.now.toISOString()
  const given = json({ ...row, createdAt: now, updatedAt: now } as ChangeOf<RowOf<C>>)
  return tx.run`
    insert into ${raw(table)} (${names})
    select ${names} from jsonb_to_record(${given}::jsonb) as r (${declared})`
}

/** Writes a change's fields that may change; undefined ones keep their values. */
export function updateStamped<C extends Columns>(
  tx: Transaction,
  table: string,
  { names, from, json }: Table<C>,
  { accountId, id }: { accountId: string; id: string },
  change: Omit<ChangeOf<RowOf<C>>, Stamps>,
) {
  const given = json({ ...change, updatedAt: tx.now.toISOString() } as ChangeOf<RowOf<C>>)
  return tx.run`
    update ${raw(table)} t
    set (${names}) = (select ${from('r')} from jsonb_populate_record(t, ${given}::jsonb) r)
    where t.account_id = ${accountId} and t.id = ${id}`
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
