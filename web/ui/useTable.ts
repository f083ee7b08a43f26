import { useLocation, useRouter } from '@tanstack/react-router'
import {
  afterNext,
  beforePrevious,
  fieldsIn,
  isFiltered,
  type SearchParams,
  type TableDefinition,
  type Trail,
  tableQuery,
  textOf,
} from './table-state.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Cursors of the pages seen before this one. */
    trail?: Trail
  }
}

/** The address's search parameters as text, and a way to change some: undefined or '' drops one. */
export function useAddress() {
  const router = useRouter()
  const params = useLocation({ select: ({ search }) => search as SearchParams })
  function change(
    some: Record<string, string | undefined>,
    { trail = [], push = false }: { trail?: Trail; push?: boolean } = {},
  ) {
    const next = { ...(router.state.location.search as SearchParams), ...some }
    const search = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== ''))
    return router.navigate({
      to: '.',
      search: search as never,
      state: (before) => ({ ...before, trail }),
      replace: !push,
      resetScroll: push,
    })
  }
  return { params, change }
}

/**
 * What the address says about a table: `query` is for `listQuery`, the rest for `DataTable`. Search, sort and filters
 * start at the first page again.
 */
export function useTable(definition: TableDefinition) {
  const { params, change } = useAddress()
  const trail = useLocation({ select: ({ state }) => state.trail }) ?? []
  const query = tableQuery(params, definition)
  const cursor = query.cursor as string | undefined
  const shown = ['search', ...(definition.filters ?? [])]
  return {
    query,
    cursor,
    trail,
    sort: String(query.sort),
    search: (query.search as string | undefined) ?? '',
    filtered: isFiltered(params, definition),
    /** By the reader or by the list itself: it is counted up to a thousand. */
    narrowed: isFiltered(params, definition) || definition.fixed !== undefined,
    /** What the address says, whatever the list itself is narrowed to. */
    filter: (name: string) => (definition.filters?.includes(name) ? textOf(params[name]) : undefined) ?? '',
    /** Fields of the columns that are left out. */
    hidden: fieldsIn(params.hide),
    hide: (fields: readonly string[]) => change({ hide: fields.join(',') }, { trail }),
    set: (some: Record<string, string | undefined>) => change({ ...some, cursor: undefined }),
    clear: () => change(without([...shown, 'cursor'])),
    /** Drops all that the address asks of the list. */
    reset: () => change(without([...shown, 'cursor', 'sort'])),
    next: (after: string) => change({ cursor: after }, { trail: afterNext(trail, cursor), push: true }),
    previous() {
      const back = beforePrevious(trail)
      return change({ cursor: back.cursor }, { trail: back.trail, push: true })
    },
  }
}

const without = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]))

export type TableState = ReturnType<typeof useTable>
