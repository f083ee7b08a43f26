import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { Answer, Totals } from './list-types.ts'
import type { TableState } from './useTable.ts'

/**
 * Returns the totals of a list's pages, which a call of their own reads after the page is shown; `owns`: whether the
 * reader may. Undefined for a single page, whose rows add up on the page.
 */
export function useTotals<L, Sums extends Totals>(
  { table, answer }: { table: TableState<L>; answer: Pick<Answer<unknown>, 'data'> },
  owns: boolean,
  read: (search: object) => UseQueryOptions<Sums, Error, Sums, QueryKey>,
): Sums | undefined {
  const { limit: _limit, cursor: _cursor, sort: _sort, ...search } = table.query as Record<string, unknown>
  const pages = Boolean(table.cursor || answer.data?.nextCursor)
  const { data } = useQuery({ ...read(search), enabled: owns && pages })
  return pages ? data : undefined
}
