import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getDashboard } from '#contract/accounts.ts'
import { listPartnerLinks } from '#contract/links.ts'
import { getBalance, getPartnerHistoricalStats } from '#contract/partners.ts'
import type { Role } from '#contract/users.ts'
import { call } from '../../api.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { type ChosenRange, comparedWith, type DateRange, rangeIn } from '../../ranges.ts'

/** What the owner's dashboard shows of a range, beside the days it is compared with. */
export function dashboard(accountId: string, range: ChosenRange) {
  const [days, compare] = [asPath(range), asPath(comparedWith(range))]
  return queryOptions({
    queryKey: ['accounts', { id: accountId }, 'dashboard', { days, compare }],
    queryFn: ({ signal }) => call(getDashboard, { params: { id: accountId, range: days }, query: { compare }, signal }),
    placeholderData: keepPreviousData,
  })
}

const asPath = ({ from, to }: DateRange) => `${from}..${to}`

export const balance = (partnerId: string) =>
  queryOptions({
    queryKey: ['partners', { id: partnerId }, 'balance'],
    queryFn: ({ signal }) => call(getBalance, { params: { id: partnerId }, signal }),
  })

/** A partner's links, the most followed first, page after page. */
export const partnerLinks = (partnerId: string) =>
  infiniteQueryOptions({
    queryKey: ['links', { partnerId }, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(listPartnerLinks, {
        params: { id: partnerId },
        query: { limit: 20, sort: '-clicks', ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const partnerHistory = (partnerId: string, { from, to }: DateRange) =>
  queryOptions({
    queryKey: ['partners', { id: partnerId }, 'historical-stats', { from, to }],
    queryFn: ({ signal }) =>
      call(getPartnerHistoricalStats, { params: { id: partnerId, range: `${from}..${to}` }, signal }),
    placeholderData: keepPreviousData,
  })

type Start = { client: QueryClient; role: Role; search: Record<string, unknown> }

/** Begins the dashboard's reads. */
export function startDashboard({ client, role, search }: Start) {
  const range = rangeIn(search, todayIn(timeZoneHere()))
  if (role.type === 'account-owner') client.prefetchQuery(dashboard(role.accountId, range))
  if (role.type !== 'partner') return
  client.prefetchQuery(partnerHistory(role.partnerId, range))
  client.prefetchQuery(partnerHistory(role.partnerId, comparedWith(range)))
  client.prefetchQuery(balance(role.partnerId))
  client.prefetchInfiniteQuery(partnerLinks(role.partnerId))
}
