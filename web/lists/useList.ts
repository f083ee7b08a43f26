import { useQuery } from '@tanstack/react-query'
import type { List } from './list-of.ts'
import { useTable } from './useTable.ts'

/** Returns the list at this address for `DataTable`: the state of its table, and the rows of its page. */
export function useList<L, Page, Search>(list: List<L, Page, Search>, { enabled = true } = {}) {
  const table = useTable(list.table)
  const answer = useQuery({ ...list.page(table.query as unknown as Search), enabled })
  return { table, answer, params: list.params }
}
