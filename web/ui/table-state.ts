import type { ListSearch } from '../calls.ts'

/** What a table lets the address say about it. */
export type TableDefinition = {
  /** Where the address names none: `-createdAt` is newest first. */
  sort?: string
  /** Names of the filters, as the list's call has them; `fixed` ones are sent always and never shown. */
  filters?: readonly string[]
  fixed?: Record<string, string>
  /** 50 unless the call or the panel wants fewer. */
  limit?: number
}

export type SearchParams = Record<string, unknown>

const PAGE = 50
export const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** The query of a list's call, from the address's search parameters: for the table and for the route's loader alike. */
export function tableQuery(
  params: SearchParams,
  { sort = '-createdAt', filters = [], fixed, limit = PAGE }: TableDefinition,
) {
  const query: ListSearch = { limit, sort: textOf(params.sort) ?? sort, ...fixed }
  for (const name of ['search', 'cursor', ...filters]) {
    const value = textOf(params[name])
    if (value !== undefined) query[name] = value
  }
  return query
}

/** The fields named in the address: 'referralCode,state'. */
export const fieldsIn = (text: unknown): readonly string[] => textOf(text)?.split(',') ?? []

/** Whether search or a filter leaves rows out. */
export const isFiltered = (params: SearchParams, { filters = [] }: TableDefinition) =>
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
