import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNumber } from '#contract/format.ts'
import type { SearchOf } from '../calls.ts'
import { formatDate, formatDateAt, formatMoney, formatShortDateTime } from '../format.ts'
import type { DataColumn, ListCall, RowOf } from '../lists/list-types.ts'
import type { SortField } from '../lists/table-state.ts'
import { Count, Money } from '../ui/Money.tsx'
import { YesOrNo } from '../ui/YesOrNo.tsx'
import { basicWords } from '../words/basic.ts'
import { type BadgeKind, StatusBadge, type StatusOf } from './StatusBadge.tsx'

type Known<T, V> = { [K in keyof T]-?: T[K] extends V | null | undefined ? K : never }[keyof T] & string
/** The names of a row's fields that hold a `V`, those of its `stats` included. */
type FieldOf<Row, V> = Known<Row, V> | (Row extends { stats: infer Stats } ? Known<Stats, V> : never)

type More<Row, S extends string> = Omit<DataColumn<Row, S>, 'head' | 'cell' | 'field' | 'sort' | 'card'> & {
  /** `true`: by the column's own field. */
  sort?: S | true
  /** `false`: not on a phone's card. */
  card?: DataColumn<Row, S>['card'] | false
}

/**
 * Returns the columns of a list by the kind of their field, typed by its call: `columnsOf<typeof listLeads>()` has
 * `money('salesRevenue', leadWords.columns.revenue, { sort: true })`. On a phone's card, counts and amounts are
 * figures and badges are beside the name.
 */
export function defineColumns<E extends ListCall>() {
  type Row = RowOf<E>
  type S = SortField<SearchOf<E>>
  type Rest = More<Row, S>
  type Column = DataColumn<Row, S>

  const column = (
    field: string,
    head: string,
    kind: Partial<Column>,
    more: Rest,
    cell: (row: Row) => ReactNode,
  ): Column => {
    const { sort, card = kind.card, ...rest } = more
    return { ...kind, ...rest, field, head, cell, sort: sort === true ? (field as S) : sort, card: card || undefined }
  }
  const figure = { numeric: true, card: 'figure' } as const
  const short = { short: true }

  return {
    /** A column of no kind, with a cell of its own. */
    of: (field: string, head: string, more: Rest, cell: (row: Row) => ReactNode) => column(field, head, {}, more, cell),
    /** The column that names the rows, so that it can't be hidden; `csv` are its columns in the file. */
    first: (csv: readonly string[], head: string, more: Rest, cell: (row: Row) => ReactNode): Column => ({
      ...column(csv[0] ?? '', head, {}, more, cell),
      field: undefined,
      csv,
    }),
    /** With `sum`, the foot of the list adds it up. */
    count: (field: FieldOf<Row, number>, head: string, { sum, ...more }: Rest & { sum?: boolean } = {}) =>
      column(
        field,
        head,
        sum ? { ...figure, total: (rows) => formatNumber(addUp(rows, field)) } : figure,
        more,
        (row) => <Count count={fieldOf(row, field)} />,
      ),
    money: (
      field: FieldOf<Row, number>,
      head: string,
      { strong, sum, ...more }: Rest & { strong?: boolean; sum?: boolean } = {},
    ) => {
      const total = (rows: Row[]) => rows[0] && formatMoney(addUp(rows, field), fieldOf(rows[0], 'currency'))
      return column(field, head, sum ? { ...figure, total } : figure, more, (row) => (
        <Money strong={strong} amount={fieldOf(row, field)} currency={fieldOf(row, 'currency')} />
      ))
    },
    badge: <K extends BadgeKind>(field: Known<Row, StatusOf<K>>, head: string, of: K, more: Rest = {}) =>
      column(field, head, { card: 'beside' }, more, (row) => (
        <StatusBadge {...({ of, status: fieldOf(row, field) } as Parameters<typeof StatusBadge>[0])} />
      )),
    /** A date without a time. */
    date: (field: Known<Row, string>, head: string, more: Rest = {}) =>
      column(field, head, short, more, (row) => muted(fieldOf(row, field), formatDate)),
    /** The day of an instant. */
    day: (field: Known<Row, string>, head: string, timeZone: string, more: Rest = {}) =>
      column(field, head, short, more, (row) => muted(fieldOf(row, field), (at) => formatDateAt(at, timeZone))),
    /** The day and time of an instant. */
    moment: (field: Known<Row, string>, head: string, timeZone: string, more: Rest = {}) =>
      column(field, head, short, more, (row) => muted(fieldOf(row, field), (at) => formatShortDateTime(at, timeZone))),
    yesOrNo: (field: Known<Row, boolean>, head: string, more: Rest = {}) =>
      column(field, head, {}, more, (row) => <YesOrNo yes={fieldOf(row, field) === true} />),
    /** The row's partner, linked. Without `field` it names the rows, so that it can't be hidden. */
    partner: (head: string, { field, ...more }: Rest & { field?: 'partnerName' } = {}): Column => ({
      ...column('partnerName', head, {}, more, (row) => (
        <Link to="/partners/$partnerId" params={{ partnerId: fieldOf<string>(row, 'partnerId') }}>
          {fieldOf<string>(row, 'partnerName')}
        </Link>
      )),
      field,
      csv: ['partnerName'],
    }),
  }
}

/** A field of the row, or of its figures. The callers' types determine which it is. */
function fieldOf<V>(row: unknown, field: string): V {
  const own = row as { stats?: Record<string, unknown> } & Record<string, unknown>
  return (field in own ? own[field] : own.stats?.[field]) as V
}

const addUp = (rows: readonly unknown[], field: string) =>
  rows.reduce<number>((sum, row) => sum + fieldOf<number>(row, field), 0)

const muted = (value: string | null, format: (value: string) => string) => (
  <span className="muted">{value ? format(value) : basicWords.absent}</span>
)
