import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getDashboard } from '#contract/accounts.ts'
import { listPartnerLinks } from '#contract/links.ts'
import { getBalance, getPartnerHistoricalStats } from '#contract/partners.ts'
import type { Role } from '#contract/users.ts'
import { call } from '../../api.ts'
import { todayIn } from '../../format.ts'
import { type DateRange, rangeIn } from '../../ranges.ts'

/** What the owner's dashboard shows for the days from `from` to `to`, YYYY-MM-DD, inclusive. */
export const dashboard = (accountId: string, { from, to }: DateRange) =>
  queryOptions({
    queryKey: ['accounts', { id: accountId }, 'dashboard', { from, to }],
    queryFn: ({ signal }) => call(getDashboard, { params: { id: accountId, range: `${from}..${to}` }, signal }),
    placeholderData: keepPreviousData,
  })

export const balance = (partnerId: string) =>
  queryOptions({
    queryKey: ['partners', { id: partnerId }, 'balance'],
    queryFn: ({ signal }) => call(getBalance, { params: { id: partnerId }, signal }),
  })

export const partnerLinks = (partnerId: string) =>
  queryOptions({
    queryKey: ['links', { partnerId }],
    queryFn: ({ signal }) => call(listPartnerLinks, { params: { id: partnerId }, query: { limit: 100 }, signal }),
  })

export const partnerHistory = (partnerId: string, { from, to }: DateRange) =>
  queryOptions({
    queryKey: ['partners', { id: partnerId }, 'historical-stats', { from, to }],
    queryFn: ({ signal }) =>
      call(getPartnerHistoricalStats, { params: { id: partnerId, range: `${from}..${to}` }, signal }),
    placeholderData: keepPreviousData,
  })

type Start = { client: QueryClient; role: Role; search: Record<string, unknown> }

/**
 * Begins the dashboard's reads. The account's time zone is still on its way: the days are those of this device, which
 * are the same but for some hours; then the right ones are asked.
 */
export function startDashboard({ client, role, search }: Start) {
  const range = rangeIn(search, todayIn(Intl.DateTimeFormat().resolvedOptions().timeZone))
  if (role.type === 'account-owner') client.prefetchQuery(dashboard(role.accountId, range))
  if (role.type !== 'partner') return
  client.prefetchQuery(partnerHistory(role.partnerId, range))
  client.prefetchQuery(balance(role.partnerId))
  client.prefetchQuery(partnerLinks(role.partnerId))
}
