import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { SearchOf } from '../calls.ts'
import type { Action } from '../ui/ActionMenu.tsx'
import type { Entry, Offered } from '../ui/actions.tsx'
import type { Keyed } from '../ui/PlainTable.tsx'
import type { ListFile } from './save-list.ts'
import type { Selection } from './selection.ts'
import type { FilterName, QueryOf, SortField } from './table-state.ts'
import type { TableState } from './useTable.ts'

export type DataColumn<Row, S extends string = string> = {
  head: string
  /** The head is for screen readers only: the column's buttons show it. */
  headHidden?: boolean
  /** The first column's cell contains the row's link. */
  cell: (row: Row) => ReactNode
  /** Its field in the list's call: such a column can be hidden under 'Columns'. */
  field?: string
  /** Columns of the list's file with the same content, if not `field`. */
  csv?: readonly string[]
  /** Field of the list's call to sort by. */
  sort?: S
  /** Right-aligned figures; they sort descending first. */
  numeric?: boolean
  /** Dates, payout numbers, choices: always short, so they stay on one line. */
  short?: boolean
  /** Place on a phone's card: one of three key figures, next to the name, or under it. Otherwise it is left out. */
  card?: 'figure' | 'beside' | 'under'
  /** Under 1200 px it moves to a second line of the column before it, which sorts the list for both. */
  below?: true
  /** Left out under 1200 px; cards show it. */
  wideOnly?: true
  /**
   * Cell of the last line, shown once the whole list is on the page or if the list has totals of all pages; the first
   * column's is the line's label.
   */
  total?: (rows: Row[]) => ReactNode
}

export type TableFilter<N extends string = string> = {
  /** Its name in the list's call. */
  name: N
  /** The other end of a range, which may be chosen alone. */
  end?: string
  /** Shown on request, or while it is used: not all filters of its list fit on one line. */
  rare?: boolean
  label: string
  /** Label of the choice without a filter, 'All' by default. */
  all?: string
} & (
  | { choices: readonly { value: string; label: string }[] }
  /** Either off, or on as `true` or as this value. */
  | { flag: true | string }
  | { render: (props: FilterProps) => ReactNode }
)

/** Props of a filter with its own control. */
export type FilterProps = {
  label: string
  value: string
  onChange: (value: string | undefined) => void
  /** For a control of several filters. */
  table: Pick<AnyTable, 'filter' | 'set'>
}

/** Things a list can contain. */
export type Things =
  | 'accounts'
  | 'acts'
  | 'applications'
  | 'codes'
  | 'deliveries'
  | 'entries'
  | 'events'
  | 'groups'
  | 'items'
  | 'leads'
  | 'lines'
  | 'links'
  | 'mails'
  | 'partners'
  | 'payouts'
  | 'people'
  | 'rates'
  | 'sales'
  | 'webhooks'

/** Sums of all pages of a list, and how many rows they are. */
export type Totals = { count: number; currency: string }

/** Returns the words of a number of rows: the number for its plural, and as it is shown. */
type CountedWords = (rows: { count: number; total: string }) => string

/** The result of `useQuery(listQuery(…))`. */
export type Answer<Row> = {
  data: { items: Row[]; nextCursor: string | null; total: number } | undefined
  error: Error | null
  isFetching: boolean
  isPlaceholderData: boolean
  refetch: () => unknown
}

export type PropsOf<Row, L> = Keyed<Row> & Unkeyed<Row, L>

type Unkeyed<Row, L> = {
  /** The page's H1, or the tab's label if a page has several tables. */
  name: string
  /** The page's H1 if `name` is a tab's: the table is named after both. */
  page?: string
  /** 'partners', for 'Search partners'. */
  plural: string
  /** The kind of its rows, for '1 partner', '38 partners', or a feature's words for them. */
  rowsAre: Things | CountedWords
  searchable?: boolean
  /** Its name is also visible, next to its filters. */
  headed?: boolean
  /** The result of `useList`. */
  list: { table: TableState<L>; answer: Answer<Row>; params: Record<string, string> | undefined }
  /** Created once, or again when data outside the row changes: rows are drawn again with them. */
  columns: DataColumn<Row, SortField<L>>[]
  /** The row's name in 'Actions for {name}' and 'Select {name}'; like `actions` it is called when the row changes. */
  nameOf: (row: Row) => string
  filters?: TableFilter<FilterName<L>>[]
  /** The group of a row of neighbors, as the key and the words of the line above them, for all pages. */
  groupOf?: ((row: Row) => { key: string; head: ReactNode }) | undefined
  /** Shown instead of rows if there are none at all. */
  empty: { icon?: ReactNode; hint: string; action?: ReactNode }
  /** Actions for all rows, each with its own conditions, or those of a row. */
  actions?: readonly Offered<Row>[] | ((row: Row) => readonly Entry<Row>[]) | undefined
  /**
   * The list as a file, of the same parameters. `atHead`: the list is all its page or tab shows, so that its button is one of the page's
   * actions; with `menu`, the page's other actions, it is the first item of their menu.
   */
  csv: FileOfList
  selection?: Selection<Row>
  /** Which rows can be selected: all by default. */
  selectable?: (row: Row) => boolean
  /** The key of the row whose details are shown next to the table. */
  shown?: string
  /** Buttons of the bar shown with a selection. */
  bulk?: ReactNode
  /** The totals are those of all pages and shown on each. */
  totalsOfAll?: boolean
  /** Totals that a call of their own returns, by the names of the rows' fields. */
  totals?: Totals | undefined
  /** A last line, such as a total under its column. */
  foot?: ReactNode
  /** Chooses among ways to show the list; placed after the filters. */
  choice?: ReactNode
  /** Replaces rows and pages, for example with a tree of them. */
  instead?: (shown: { wide: boolean; columns: DataColumn<Row>[]; table: AnyTable }) => ReactNode
  /** Part of the total that figures leave out: '6 of them duplicates'. */
  amongThem?: string | undefined
}

type FileOfList = Omit<ListFile, 'table' | 'columns'> & { atHead?: boolean; menu?: readonly Action[] }

/** Internally, field and filter names are plain text. */
export type AnyTable = TableState<Record<string, string | undefined>>
export type Props<Row> = Omit<Unkeyed<Row, unknown>, 'list' | 'columns' | 'filters' | 'actions'> & {
  table: AnyTable
  answer: Answer<Row>
  keyOf: (row: Row) => string
  actions?: ((row: Row) => Action[]) | undefined
  columns: DataColumn<Row>[]
  filters?: TableFilter[]
}

/** A column of a list, typed by the list's call: `ColumnOf<typeof listPartners>`. */
export type ColumnOf<E extends ListCall> = DataColumn<RowOf<E>, SortField<SearchOf<E>>>
/** A filter of a table, typed by its declaration: `FilterOf<typeof leadTable>`. */
export type FilterOf<D> = TableFilter<FilterName<QueryOf<D>>>
export type RowOf<E extends ListCall> = z.output<NonNullable<E['reply']>>['items'][number]
export type ListCall = { query?: z.ZodType; reply?: z.ZodType<{ items: unknown[] }> }

/** A column with those below it. */
export type InLines<Row> = DataColumn<Row> & { under?: DataColumn<Row>[] }

/** Props with the rows of the page. */
export type Loaded<Row> = Props<Row> & { rows: Row[] }

export type RowProps<Row> = Pick<Props<Row>, 'columns' | 'nameOf' | 'actions'> & {
  row: Row
  /** Undefined if the row cannot be ticked. */
  ticked: boolean | undefined
  select: ((row: Row, checked: boolean, range: boolean) => void) | undefined
}
