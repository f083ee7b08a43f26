import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { shownTotal } from '../ui/totals.ts'
import { tableWords } from '../words/lists.ts'

type Answer<Page> = { data?: Page | undefined; isPlaceholderData: boolean }

/**
 * Returns the number of duplicates among the listed leads in words, since no figure counts them; undefined if the list
 * is filtered by status, which makes it obvious.
 */
export function useDuplicates<Search extends { status?: string | undefined }, Page extends { total: number }>(
  { table: { query }, answer }: { table: { query: Search }; answer: Answer<Page> },
  page: (search: Search) => UseQueryOptions<Page>,
) {
  const listed = answer.isPlaceholderData ? 0 : (answer.data?.total ?? 0)
  const isEnabled = query.status === undefined && listed > 0
  const search = { ...query, cursor: undefined, sort: undefined, status: 'duplicate', limit: 1 }
  const { data, isPlaceholderData } = useQuery({ ...page(search), enabled: isEnabled })
  const count = (isEnabled && !isPlaceholderData && data?.total) || 0
  return count > 0 ? tableWords.duplicates({ count, total: shownTotal(count, true) }) : undefined
}
