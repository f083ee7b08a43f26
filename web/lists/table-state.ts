/** The sort fields of a list, from its query type. */
export type SortField<L> = Exclude<SortBy<L>, `-${string}`>
type SortBy<L> = L extends { sort?: infer S } ? Extract<S, string> : never

/** The names of its filters. */
export type FilterName<L> = Exclude<keyof L & string, 'limit' | 'cursor' | 'search' | 'sort'>

/** The parts of a list's query that a table stores in the address, from the call's query type (`SearchOf`). */
export type TableDefinition<L> = {
  /** Key of its columns and views in the user's preferences, unique per list. */
  list: string
  /** Default sort: `-createdAt` is newest first. */
  sort?: SortBy<L>
  /** Names of the filters, as in the list's call. */
  filters?: readonly FilterName<L>[]
  /** Filters that are sent unless others are chosen, and never shown; they may depend on the address. */
  fixed?: Fixed<L> | ((params: SearchParams) => Fixed<L>)
  /** The `fixed` filters choose a list of its own, whose rows are all counted. */
  whole?: true
  /** Fields of the columns that are hidden until a reader chooses otherwise. */
  optional?: readonly string[]
  /** Rows per page, 50 by default. */
  limit?: number
}

type Fixed<L> = Partial<Record<FilterName<L>, string>>

/** A list's query with these of its filters only. */
export type FilteredBy<L, F extends string> = Pick<L, Extract<keyof L, F | 'limit' | 'cursor' | 'search' | 'sort'>>

/** The query of a table's list, from its declaration. */
export type QueryOf<D> = D extends { table: TableDefinition<infer L> }
  ? L
  : D extends (...given: never[]) => infer List
    ? QueryOf<List>
    : never

/** A table's search parameters in the address, all text. */
export type TableSearch<L> = { [name in FilterName<L> | 'search' | 'sort' | 'cursor' | 'hide']?: string }

export type SearchParams = Record<string, unknown>

const PAGE = 50
export const searchText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/**
 * Returns the query of a list's call from the address's search parameters: for the table and for the route's loader
 * alike.
 */
export function tableQuery<L>(params: SearchParams, definition: TableDefinition<L>): L {
  const { filters = [], fixed } = definition
  const always = typeof fixed === 'function' ? fixed(params) : fixed
  const query: SearchParams = { limit: getLimit(definition), sort: sortIn(params, definition), ...always }
  for (const name of ['search', 'cursor', ...filters]) {
    const value = searchText(params[name])
    if (value !== undefined) query[name] = value
  }
  // Names in the address are unchecked text; the server validates them.
  return query as L
}

export const getLimit = ({ limit = PAGE }: { limit?: number }) => limit
export const sortIn = (params: SearchParams, { sort = '-createdAt' }: { sort?: string }) =>
  searchText(params.sort) ?? sort

/**
 * Returns the columns hidden by the address: 'referralCode,state', or 'none' of them. Undefined if it has no such
 * parameter.
 */
export const hiddenIn = ({ hide }: SearchParams) =>
  searchText(hide)
    ?.split(',')
    .filter((field) => field !== 'none')

/** Returns only the list's parameters in the address: its search, filters and sort, not the page or the columns. */
export function shownIn(params: SearchParams, { filters = [] }: { filters?: readonly string[] }) {
  const filled = ['search', 'sort', ...filters].flatMap((name) => {
    const value = searchText(params[name])
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(filled)
}

/** Returns whether search or a filter leaves rows out. */
export const isFiltered = (params: SearchParams, { filters = [] }: { filters?: readonly string[] }) =>
  ['search', ...filters].some((name) => searchText(params[name]) !== undefined)

/**
 * The cursors of the pages before this one, the first page as ''. Stored in the navigation state, so that 'Previous'
 * goes back through the seen ones even after a reload.
 */
export type Trail = readonly string[]

export const afterNext = (trail: Trail, cursor: string | undefined): Trail => [...trail, cursor ?? '']

/** Returns the target of 'Previous': the page last seen, else the first one. */
export function beforePrevious(trail: Trail): { cursor: string | undefined; trail: Trail } {
  const last = trail.at(-1)
  return { cursor: last || undefined, trail: trail.slice(0, -1) }
}

/** Returns the shown rows, counted from 1; null on a page opened by its address, whose position is unknown. */
export function rowsShown(trail: Trail, cursor: string | undefined, rows: number, limit = PAGE) {
  if (cursor && trail.length === 0) return null
  return { from: trail.length * limit + 1, to: trail.length * limit + rows }
}

/** Returns the sort after pressing a head: its own first direction, then the other one. */
export function sortAfter(pressed: string, current: string, downFirst: boolean) {
  if (current === pressed) return `-${pressed}`
  if (current === `-${pressed}`) return pressed
  return downFirst ? `-${pressed}` : pressed
}

/** Returns the `aria-sort` of a column sorted by `field`; undefined if it does not sort. */
export function ariaSort(field: string | undefined, current: string) {
  if (!field) return undefined
  if (current === field) return 'ascending' as const
  return current === `-${field}` ? ('descending' as const) : ('none' as const)
}
