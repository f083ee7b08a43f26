import type { Transaction } from './pool.ts'
import { empty, joinSql, rawSql, type Sql, sql } from './sql.ts'

/** Columns are read, inserted and updated, unless they are fixed or unread. */
type Use = 'changing' | 'fixed' | 'unread'

/** A column's type in SQL, and its name if it differs from the field's. `T` is the type when read. */
type Column<T, U extends Use = Use> = {
  type: string
  name?: string
  isNullable?: true
  use?: Use
  readonly is?: { read: T; use: U }
  null(): Column<T | null, U>
  named(name: string): Column<T, U>
  /** Written by the insert, never by an update. */
  fixed(): Column<T, 'fixed'>
  /** Written by the insert alone, and not read with the row. */
  unread(): Column<T, 'unread'>
}

const column = <T, U extends Use = 'changing'>(
  type: string,
  more: Pick<Column<T>, 'name' | 'isNullable' | 'use'> = {},
): Column<T, U> => ({
  type,
  ...more,
  null: () => column(type, { ...more, isNullable: true }),
  named: (name) => column(type, { ...more, name }),
  fixed: () => column(type, { ...more, use: 'fixed' }),
  unread: () => column(type, { ...more, use: 'unread' }),
})

/** The types of columns. */
export const c = {
  uuid: column<string>('uuid'),
  uuids: column<string[]>('uuid[]'),
  text: <T extends string = string>() => column<T>('text'),
  texts: column<string[]>('text[]'),
  textsOf: <T extends string>() => column<T[]>('text[]'),
  bigint: column<number>('bigint'),
  integer: column<number>('integer'),
  integers: column<number[]>('integer[]'),
  smallint: column<number>('smallint'),
  numeric: column<number>('numeric'),
  boolean: column<boolean>('boolean'),
  date: column<string>('date'),
  instant: column<string>('timestamptz'),
  bytes: column<Buffer>('bytea'),
  json: <T>() => column<T>('jsonb'),
}

type Columns = Record<string, Column<unknown>>
type Values<C extends Columns> = { [F in keyof C]: C[F] extends Column<infer T> ? T : never }
type Used<C extends Columns, U extends Use> = { [F in keyof C]: C[F] extends Column<unknown, U> ? F : never }[keyof C]
type Empty<Row> = { [F in keyof Row]: null extends Row[F] ? F : never }[keyof Row]
type Stamps = 'createdAt' | 'updatedAt'
type Given<Row> = Omit<Row, Empty<Row>> & { [F in Empty<Row>]?: Row[F] | undefined }
type New<C extends Columns> = Given<Omit<Values<C>, Stamps>>
type Change<C extends Columns> = { [F in Used<C, 'changing'>]?: Values<C>[F] | undefined }
/** Does not compile if a given field has no column, so that no input is silently dropped. */
type Exactly<G, Row> = G & { [F in Exclude<keyof G, keyof Row>]: never }

/** A row as read. */
export type RowOf<T extends { columns: Columns }> = Omit<Values<T['columns']>, Used<T['columns'], 'unread'>>
/** A change of a row; an undefined field keeps its value. */
export type ChangeOf<T extends { columns: Columns }> = Change<T['columns']>

/** Every table whose columns are defined here; a test compares them with the schema. */
export const tables: { name: string; columns: Columns }[] = []

/** Defines the columns of a table once: the row's type, reads and writes are derived from it. */
export function table<C extends Columns>(table: string, columns: C) {
  tables.push({ name: table, columns })
  const all = Object.entries(columns).map(([field, column]) => ({ field, ...column, name: columnName(field, column) }))
  const list = (piece: (column: (typeof all)[number]) => string, some = all): Sql => rawSql(some.map(piece).join(', '))
  const names = list(({ name }) => name)
  const declared = list(({ name, type }) => `${name} ${type}`)
  const read = all.filter(({ use }) => use !== 'unread')
  const changing = all.filter(({ use }) => use === undefined)
  const named = (row: Partial<Record<string, unknown>>) =>
    Object.fromEntries(all.map(({ field, name }) => [name, jsonOf(row[field])]))
  // without the empty columns, which are most of some rows, and null in a record all the same
  const given = (row: Partial<Record<string, unknown>>) => {
    const values: Record<string, unknown> = {}
    for (const { field, name } of all) if (row[field] != null) values[name] = jsonOf(row[field])
    return values
  }
  return {
    columns,
    /** `id, first_name`, for an insert. */
    names,
    /** `id uuid, first_name text`, to declare a record read from JSON. */
    declared,
    /** The columns that are read, with this alias, each under its field's name. */
    from: (alias: string): Sql => list(({ field, name }) => `${alias}.${name} as ${snakeCase(field)}`, read),
    /**
     * Formats rows as JSON, for `jsonb_to_recordset`. For a few dozen rows it is as fast as arrays of values, for one
     * row faster; only for hundreds it takes twice as long, some milliseconds.
     */
    jsonOf: (rows: readonly Given<Values<C>>[]): string => JSON.stringify(rows.map(given)),
    /**
     * Inserts a row; omitted fields are null, and its times are now. `unlessTaken`: inserts none if another has one of
     * its unique values. Returns the number of rows.
     */
    insert<G extends New<C>>(tx: Transaction, row: Exactly<G, New<C>>, { unlessTaken = false } = {}) {
      const rest = unlessTaken ? sql`on conflict do nothing` : empty
      const now = tx.now.toISOString()
      const values = JSON.stringify(given({ ...row, createdAt: now, updatedAt: now }))
      return tx.run`
        insert into ${rawSql(table)} (${names})
        select ${names} from jsonb_to_record(${values}::jsonb) as r (${declared}) ${rest}`
    },
    /** Updates the row with this key, and its time of change; undefined fields keep their values. */
    update<G extends Change<C>>(
      tx: Transaction,
      key: { accountId?: string; id: string },
      change: Exactly<G, Change<C>>,
    ) {
      const where = Object.entries(key).map(([field, value]) => sql`t.${rawSql(snakeCase(field))} = ${value}`)
      const values = JSON.stringify(named(change))
      // populate_record keeps columns that the object does not name, and casts the others
      return tx.run`
        update ${rawSql(table)} t
        set (${list(({ name }) => name, changing)}, updated_at) =
          (select ${list(({ name }) => `r.${name}`, changing)}, ${tx.now}::timestamptz
          from jsonb_populate_record(t, ${values}::jsonb) r)
        where ${joinSql(where, ' and ')}`
    },
  }
}

export const columnName = (field: string, { name = snakeCase(field) }: Column<unknown>) => name

export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const jsonOf = (value: unknown) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value)
