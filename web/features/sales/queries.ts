import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  getSale,
  listLeadSales,
  listRevenueLines,
  listSales,
  type PreviewedSale,
  previewCommission,
  type Sale,
} from '#contract/sales.ts'
import type { Role } from '#contract/users.ts'
import { call } from '../../api.ts'
import { type ListSearch, listQuery, read } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { type SearchParams, type TableDefinition, tableQuery } from '../../ui/table-state.ts'

/** What a change of a sale makes stale. */
export const changed = [
  'sales',
  'revenue-lines',
  'commissions',
  'leads',
  'partners',
  'stats',
  'dashboard',
  'balance',
  'balances',
  'payouts',
] as const

const PAGE = 50

/** The sales of a lead, newest first, page after page; to a partner with his own entries alone. */
export const leadSales = (leadId: string) =>
  infiniteQueryOptions({
    queryKey: [listLeadSales.path, { id: leadId }, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(listLeadSales, {
        params: { id: leadId },
        query: { limit: PAGE, sort: '-saleDate', ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export function startLeadSales({ client, params }: { client: QueryClient; params: Record<string, string> }) {
  client.prefetchInfiniteQuery(leadSales(params.leadId ?? ''))
}

export const salesIn = (pages: { items: Sale[] }[] | undefined) => pages?.flatMap(({ items }) => items)

export const sale = (id: string) => read(getSale, { params: { id } })

/** A lead's sales of one day: among them may be the one that is about to be entered a second time. */
export const salesOfDay = (accountId: string, leadId: string, day: string) =>
  read(listSales, { params: { id: accountId }, query: { leadId, from: day, to: day, limit: 100 } })

/** What the figures count of sales, the newest day first. */
export const revenueTable: TableDefinition = {
  sort: '-day',
  filters: ['kind', 'status', 'provider', 'partnerId', 'blueprintId', 'onHold', 'from', 'to'],
}

export const revenueLines = (accountId: string, search: ListSearch) =>
  listQuery(listRevenueLines, { params: { id: accountId }, search })

export const unattributedTable: TableDefinition = { sort: '-saleDate', fixed: { unattributed: 'true' } }

export const unattributedSales = (accountId: string, search: ListSearch) =>
  listQuery(listSales, { params: { id: accountId }, search })

type At = { client: QueryClient; role: Role; params: Record<string, string>; search: SearchParams }

/** Begins the tab of sales, or of those that nobody is credited for. */
export function startSales({ client, role, search }: At) {
  if (role.type !== 'account-owner') return
  if (search.tab === 'sales') client.prefetchQuery(revenueLines(role.accountId, tableQuery(search, revenueTable)))
  if (search.tab === 'unattributed')
    client.prefetchQuery(unattributedSales(role.accountId, tableQuery(search, unattributedTable)))
}

/** Begins what a new sale is compared with. */
export function startNewSale({ client, role, params: { leadId = '' } }: At) {
  if (role.type === 'account-owner') client.prefetchQuery(salesOfDay(role.accountId, leadId, todayIn(timeZoneHere())))
}

/** Who would earn what of a sale that is not recorded yet. */
export const commissionPreview = (accountId: string, sale: PreviewedSale) =>
  queryOptions({
    queryKey: [previewCommission.path, { id: accountId }, sale],
    queryFn: ({ signal }) => call(previewCommission, { params: { id: accountId }, body: sale, signal }),
  })
