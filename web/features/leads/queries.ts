import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { getLead, getLeadHistoricalStats, listLeadEvents, listLeads, listPartnerLeads } from '#contract/leads.ts'
import { getLinkBlueprint } from '#contract/links.ts'
import type { Role } from '#contract/users.ts'
import { call } from '../../api.ts'
import { type ListSearch, listQuery, read } from '../../calls.ts'
import { lastMonths, timeZoneHere, todayIn } from '../../format.ts'
import { type SearchParams, type TableDefinition, tableQuery } from '../../ui/table-state.ts'

/** What a change of a lead makes stale. */
export const changed = [
  'leads',
  'sales',
  'revenue-lines',
  'partners',
  'stats',
  'dashboard',
  'balance',
  'balances',
] as const

/** To a partner no filter by partner: they are all his own. */
export const leadTable = (role: Role): TableDefinition => ({
  filters: [
    ...(role.type === 'partner' ? [] : ['partnerId', 'blueprintId', 'unanswered']),
    ...['status', 'source', 'from', 'to'],
  ],
})

/** To the owner every lead of the account, to a partner his own. */
export const leads = (role: Role, search: ListSearch) =>
  role.type === 'partner'
    ? listQuery(listPartnerLeads, { params: { id: role.partnerId }, search })
    : listQuery(listLeads, { params: { id: role.type === 'account-owner' ? role.accountId : '' }, search })

export const lead = (id: string) => read(getLead, { params: { id } })

/** What a lead brought in the last six months, in days of this time zone. */
export function leadHistory(id: string, timeZone: string) {
  const { from, to } = lastMonths(6, todayIn(timeZone))
  return read(getLeadHistoricalStats, { params: { id, range: `${from}..${to}` } })
}

const PAGE = 50

/** The timeline, newest first, page after page. */
export const leadEvents = (id: string) =>
  infiniteQueryOptions({
    queryKey: [listLeadEvents.path, { id }, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(listLeadEvents, {
        params: { id },
        query: { limit: PAGE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const link = (blueprintId: string) => read(getLinkBlueprint, { params: { id: blueprintId } })

type At = { client: QueryClient; role: Role; params: Record<string, string>; search: SearchParams }

export function startLeads({ client, role, search }: At) {
  if (role.type === 'partner' || (search.tab !== 'sales' && search.tab !== 'unattributed'))
    client.prefetchQuery(leads(role, tableQuery(search, leadTable(role))))
}

export function startLead({ client, params: { leadId = '' } }: At) {
  client.prefetchQuery(lead(leadId))
}

export function startLeadDetail(at: At) {
  startLead(at)
  const { leadId = '' } = at.params
  at.client.prefetchInfiniteQuery(leadEvents(leadId))
  at.client.prefetchQuery(leadHistory(leadId, timeZoneHere()))
}
