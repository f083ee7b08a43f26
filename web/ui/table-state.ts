/** The fields that a list, by what it may be asked, sorts by. */
export type SortField<L> = Exclude<SortBy<L>, `-${string}`>
type SortBy<L> = L extends { sort?: infer S } ? Extract<S, string> : never

/** The names of its filters. */
export type FilterName<L> = Exclude<keyof L & string, 'limit' | 'cursor' | 'search' | 'sort'>

/** What a table lets the address say about a list, by what the list's call may be asked (`SearchOf`). */
export type TableDefinition<L> = {
  /** What its columns and views are kept under in the user's preferences: no two lists have the same. */
  list: string
  /** Where the address names none: `-createdAt` is newest first. */
  sort?: SortBy<L>
  /** Names of the filters, as the list's call has them; `fixed` ones are sent always and never shown. */
  filters?: readonly FilterName<L>[]
  fixed?: Partial<Record<FilterName<L>, string>>
  /** 50 unless the call or the panel wants fewer. */
  limit?: number
}

/** What the address of a table says: all of it text. */
export type TableSearch<L> = { [name in FilterName<L> | 'search' | 'sort' | 'cursor' | 'hide']?: string }

export type SearchParams = Record<string, unknown>

const PAGE = 50
export const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** The query of a list's call, from the address's search parameters: for the table and for the route's loader alike. */
export function tableQuery<L>(params: SearchParams, definition: TableDefinition<L>): L {
  const { filters = [], fixed } = definition
  const query: SearchParams = { limit: limitOf(definition), sort: sortIn(params, definition), ...fixed }
  for (const name of ['search', 'cursor', ...filters]) {
    const value = textOf(params[name])
    if (value !== undefined) query[name] = value
  }
  // What an address names is text; whether the list has it the server says.
  return query as L
}

export const limitOf = ({ limit = PAGE }: { limit?: number }) => limit
export const sortIn = (params: SearchParams, { sort = '-createdAt' }: { sort?: string }) => textOf(params.sort) ?? sort

/** The columns that the address leaves out: 'referralCode,state', or 'none' of them. Undefined where it does not say. */
export const hiddenIn = ({ hide }: SearchParams) =>
  textOf(hide)
    ?.split(',')
    .filter((field) => field !== 'none')

/** What the address says of the list alone: its search, filters and sort, not the page or the columns. */
export function shownIn(params: SearchParams, { filters = [] }: { filters?: readonly string[] }) {
  const said = ['search', 'sort', ...filters].flatMap((name) => {
    const value = textOf(params[name])
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(said)
}

/** Whether search or a filter leaves rows out. */
export const isFiltered = (params: SearchParams, { filters = [] }: { filters?: readonly string[] }) =>
  ['search', ...filters].some((name) => textOf(params[name]) !== undefined)

/**
 * The cursors of the pages before this one, first page as ''. They travel in the navigation state, so that 'Previous'
 * goes back through those seen even after a reload.
 */
export type Trail = readonly string[]

export const afterNext = (trail: Trail, cursor: string | undefined): Trail => [...trail, cursor ?? '']

/** Where 'Previous' leads: the page last seen, else the first one. */
export function beforePrevious(trail: Trail): { cursor: string | undefined; trail: Trail } {
  const last = trail.at(-1)
  return { cursor: last || undefined, trail: trail.slice(0, -1) }
}

/** Rows shown, counted from 1; null on a page opened by its address, whose place is not known. */
export function rowsShown(trail: Trail, cursor: string | undefined, rows: number, limit = PAGE) {
  if (cursor && trail.length === 0) return null
  return { from: trail.length * limit + 1, to: trail.length * limit + rows }
}

/** The next sort after pressing a head: its own first direction, then the other one. */
export function sortAfter(pressed: string, current: string, downFirst: boolean) {
  if (current === pressed) return `-${pressed}`
  if (current === `-${pressed}`) return pressed
  return downFirst ? `-${pressed}` : pressed
}

/** The `aria-sort` of a column sorted by `field`; undefined where it does not sort. */
export function ariaSort(field: string | undefined, current: string) {
  if (!field) return undefined
  if (current === field) return 'ascending' as const
  return current === `-${field}` ? ('descending' as const) : ('none' as const)
}
