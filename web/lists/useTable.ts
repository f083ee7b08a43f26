import { useLocation } from '@tanstack/react-router'
import { explainRefusal } from '../ui/refusals.ts'
import { showToast } from '../ui/toasts.ts'
import { useAddress } from '../ui/useAddress.ts'
import { viewWords } from '../words/lists.ts'
import { useKeep, usePreferences } from './preferences.ts'
import {
  afterNext,
  beforePrevious,
  type FilterName,
  getLimit,
  hiddenIn,
  isFiltered,
  searchText,
  shownIn,
  sortIn,
  type TableDefinition,
  tableQuery,
} from './table-state.ts'
import { columnsKey, hasSame, namesIn, type View } from './views.ts'

/**
 * Returns the state of a table in the address: `query` is for `listQuery`, the rest for `DataTable`. Search, sort and
 * filters restart at the first page.
 */
export function useTable<L>(definition: TableDefinition<L>) {
  const { params, change } = useAddress()
  const trail = useLocation({ select: ({ state }) => state.trail }) ?? []
  const cursor = searchText(params.cursor)
  const filters: readonly string[] = definition.filters ?? []
  const shown = ['search', ...filters]
  const { list } = definition
  const { optional = [] } = definition
  const kept = usePreferences()[columnsKey(list)]
  const remembered = kept === undefined ? optional : namesIn(kept)
  const keep = useKeep((error) =>
    showToast('preferences' in error.fields ? viewWords.columnsFull : explainRefusal(error), { failed: true }),
  )
  const hidden = hiddenIn(params) ?? remembered
  return {
    list,
    query: tableQuery(params, definition),
    limit: getLimit(definition),
    cursor,
    trail,
    sort: sortIn(params, definition),
    search: searchText(params.search) ?? '',
    filtered: isFiltered(params, definition),
    /** Narrowed by the reader or by the list itself: it is counted up to a thousand. */
    narrowed: isFiltered(params, definition) || (definition.fixed !== undefined && !definition.whole),
    /** The value in the address, whatever the list itself is narrowed to. */
    filter: (name: FilterName<L>) => (filters.includes(name) ? searchText(params[name]) : undefined) ?? '',
    /** Fields of the hidden columns, from the address, else as last chosen. */
    hidden,
    /** Whether the reader has hidden or shown columns. */
    rearranged: !hasSame(hidden, optional),
    hide(fields: readonly string[]) {
      keep({ [columnsKey(list)]: hasSame(fields, optional) ? null : fields })
      if (params.hide !== undefined) change({ hide: undefined }, { trail })
    },
    /** The content of a saved view, besides its name. */
    shown: { search: shownIn(params, definition), hidden },
    open(view: View) {
      const hide = view.hidden.join() === remembered.join() ? undefined : view.hidden.join(',') || 'none'
      return change({ ...without([...shown, 'sort', 'cursor']), ...view.search, hide }, { push: true, toTop: true })
    },
    set: (some: { [name in FilterName<L> | 'search' | 'sort']?: string | undefined }) =>
      change({ ...some, cursor: undefined }),
    clear: () => change(without([...shown, 'cursor'])),
    /** Drops all the list's parameters from the address. */
    reset: () => change(without([...shown, 'cursor', 'sort'])),
    next: (after: string) => change({ cursor: after }, { trail: afterNext(trail, cursor), push: true, toTop: true }),
    previous() {
      const back = beforePrevious(trail)
      return change({ cursor: back.cursor }, { trail: back.trail, push: true, toTop: true })
    },
  }
}

const without = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]))

export type TableState<L> = ReturnType<typeof useTable<L>>
