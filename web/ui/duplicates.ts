import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { t } from '../words.ts'
import { shownTotal } from './totals.ts'

type Answer<Page> = { data?: Page | undefined; isPlaceholderData: boolean }

/**
 * How many of the leads listed are duplicates, which no figure counts, in words; nothing where the list is narrowed by
 * status, which says it itself.
 */
export function useDuplicates<Search extends { status?: string | undefined }, Page extends { total: number }>(
  { query }: { query: Search },
  answer: Answer<Page>,
  read: (search: Search) => UseQueryOptions<Page>,
) {
  const listed = answer.isPlaceholderData ? 0 : (answer.data?.total ?? 0)
  const asked = query.status === undefined && listed > 0
  const search = { ...query, cursor: undefined, sort: undefined, status: 'duplicate', limit: 1 }
  const { data, isPlaceholderData } = useQuery({ ...read(search), enabled: asked })
  const count = (asked && !isPlaceholderData && data?.total) || 0
  return count > 0 ? t('table.duplicates', { count, total: shownTotal(count, true) }) : undefined
}
