import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getAutoPayoutSettings } from '#contract/accounts.ts'
import { listBalances } from '#contract/partners.ts'
import {
  type ApprovalPreview,
  approvePayouts,
  getPayout,
  getPayoutTotals,
  listPayoutEntries,
  listPayouts,
  type Payout,
  type PayoutStatus,
} from '#contract/payouts.ts'
import type { Role } from '#contract/users.ts'
import { call } from '../../api.ts'
import { type ListSearch, listQuery, read } from '../../calls.ts'
import { type SearchParams, type TableDefinition, tableQuery } from '../../ui/table-state.ts'

export const tabs = ['upcoming', 'needs-action', 'paid'] as const
export type Tab = (typeof tabs)[number]

/** Where a payout moves without anybody, look again so often. */
const MOVING_MS = 3000
const WAITING_MS = 30_000

/** Which payouts a tab lists: together they are all. */
export const statusesOf = {
  'needs-action': ['open', 'due', 'approved', 'awaiting-funding', 'failed', 'returned'],
  paid: ['processing', 'sent', 'paid', 'canceled'],
} as const satisfies Record<Exclude<Tab, 'upcoming'>, readonly PayoutStatus[]>

/** How each tab's list is asked for; a chosen status stands instead of all of the tab's. */
export const definitions: Record<Tab, TableDefinition> = {
  upcoming: { sort: 'nextPayoutDate' },
  'needs-action': { fixed: { status: statusesOf['needs-action'].join(',') }, filters: ['status'] },
  paid: { fixed: { status: statusesOf.paid.join(',') }, filters: ['status'] },
}

export const balances = (id: string, search: ListSearch) => listQuery(listBalances, { params: { id }, search })

export const payouts = (id: string, search: ListSearch) => ({
  ...listQuery(listPayouts, { params: { id }, search }),
  refetchInterval: ({ state }: { state: { data?: { items: Payout[] } | undefined } }) =>
    state.data?.items.some(isMoving) ? MOVING_MS : WAITING_MS,
})

const isMoving = ({ status, method }: Payout) => status === 'processing' || (status === 'approved' && method === 'wise')

/** One row of a tab's list, for its total. */
export const countOfBalances = (id: string) => read(listBalances, { params: { id }, query: { limit: 1 } })
export const countOfPayouts = (id: string, tab: Exclude<Tab, 'upcoming'>) =>
  read(listPayouts, { params: { id }, query: { limit: 1, status: definitions[tab].fixed?.status } })

export const totals = (id: string) => read(getPayoutTotals, { params: { id } })

export const autoPayouts = (id: string) => read(getAutoPayoutSettings, { params: { id } })

export const payout = (id: string) => ({
  ...read(getPayout, { params: { id } }),
  refetchInterval: ({ state }: { state: { data?: Payout | undefined } }) =>
    state.data && isMoving(state.data) ? MOVING_MS : WAITING_MS,
})

/** A page of entries asks for as many sales: their names and days stand there. */
export const entryTable: TableDefinition = { sort: 'createdAt', limit: 25 }

export const entries = (id: string, search: ListSearch) => listQuery(listPayoutEntries, { params: { id }, search })

/** What approving these would do, asked anew each time. */
export const approvalPreview = (accountId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['approval-preview', accountId, ids],
    queryFn: async ({ signal }) =>
      (await call(approvePayouts, {
        params: { id: accountId },
        body: { ids: [...ids], preview: true },
        signal,
      })) as ApprovalPreview,
    staleTime: 0,
    gcTime: 0,
  })

/** What a change of a payout makes stale. */
export const changed = ['payouts', 'balances', 'balance', 'partners', 'dashboard'] as const

type At = { client: QueryClient; role: Role; params: Record<string, string>; search: SearchParams }

/** Begins what the list shows. */
export function startPayouts({ client, role, search }: At) {
  if (role.type !== 'account-owner') return
  const { accountId } = role
  const tab = tabs.find((key) => key === search.tab) ?? 'upcoming'
  const query = tableQuery(search, definitions[tab])
  client.prefetchQuery(totals(accountId))
  client.prefetchQuery(autoPayouts(accountId))
  client.prefetchQuery(countOfBalances(accountId))
  client.prefetchQuery(countOfPayouts(accountId, 'needs-action'))
  client.prefetchQuery(countOfPayouts(accountId, 'paid'))
  if (tab === 'upcoming') client.prefetchQuery(balances(accountId, query))
  else client.prefetchQuery(payouts(accountId, query))
}

/** Begins what one payout shows. */
export function startPayout({ client, params: { payoutId = '' }, search }: At) {
  client.prefetchQuery(payout(payoutId))
  client.prefetchQuery(entries(payoutId, tableQuery(search, entryTable)))
}
