import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { listPartnerLeads } from '#contract/leads.ts'
import {
  getBalance,
  getInvitation,
  getPartner,
  getPartnerHistoricalStats,
  getPayoutSettings,
  listPartners,
  listSubPartners,
  type Partner,
} from '#contract/partners.ts'
import { listPartnerPayouts } from '#contract/payouts.ts'
import { previewCommission } from '#contract/sales.ts'
import type { Role } from '#contract/users.ts'
import { call } from '../../api.ts'
import { type ListSearch, listQuery, read } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { comparedWith, type DateRange, rangeIn } from '../../ranges.ts'
import { type SearchParams, type TableDefinition, tableQuery } from '../../ui/table-state.ts'

/** The owner sees who earns most first; a partner may not sort by what others earn. */
export const partnerTable = (role: Role): TableDefinition =>
  role.type === 'partner'
    ? { filters: ['state'] }
    : { sort: '-salesRevenue', filters: ['state', 'parentPartnerId', 'from', 'to'] }

/** To the owner every partner of the account, to a partner his own sub-partners. */
export const partners = (role: Role, search: ListSearch) =>
  role.type === 'partner'
    ? listQuery(listSubPartners, { params: { id: role.partnerId }, search })
    : listQuery(listPartners, { params: { id: role.type === 'account-owner' ? role.accountId : '' }, search })

export const partner = (id: string) => read(getPartner, { params: { id } })

/** The tables of a partner's page, a tab each. */
export const subPartnerTable = (whole: boolean): TableDefinition => ({
  ...(whole && { sort: '-salesRevenue' }),
  filters: ['state'],
})
export const leadTable: TableDefinition = { filters: ['status'] }
export const payoutTable: TableDefinition = { filters: ['status'] }

export const subPartners = (id: string, search: ListSearch) => listQuery(listSubPartners, { params: { id }, search })
export const leads = (id: string, search: ListSearch) => listQuery(listPartnerLeads, { params: { id }, search })
export const payouts = (id: string, search: ListSearch) => listQuery(listPartnerPayouts, { params: { id }, search })

const totalOf = ({ total }: { total: number }) => total
export const leadCount = (id: string) => ({
  ...read(listPartnerLeads, { params: { id }, query: { limit: 1 } }),
  select: totalOf,
})
export const payoutCount = (id: string) => ({
  ...read(listPartnerPayouts, { params: { id }, query: { limit: 1 } }),
  select: totalOf,
})

export const balance = (id: string) => read(getBalance, { params: { id } })
export const payoutSettings = (id: string) => read(getPayoutSettings, { params: { id } })

/** Only of somebody who was invited: else there is none to read. */
export const invitation = ({ id, invitationStatus }: Pick<Partner, 'id' | 'invitationStatus'>) => ({
  ...read(getInvitation, { params: { id } }),
  enabled: invitationStatus !== null,
})

/** Figures by period for the days from `from` to `to`, YYYY-MM-DD, inclusive. */
export const history = (id: string, { from, to }: DateRange) => ({
  ...read(getPartnerHistoricalStats, { params: { id, range: `${from}..${to}` } }),
  placeholderData: keepPreviousData,
})

/** What the partner's next sale of this amount would earn whom. The call only reads. */
export const preview = (accountId: string, partnerId: string, amount: number) =>
  queryOptions({
    queryKey: ['partners', { id: partnerId }, 'commission-preview', amount],
    queryFn: ({ signal }) =>
      call(previewCommission, { params: { id: accountId }, body: { partnerId, amount }, signal }),
  })

/** What a change of a partner makes stale. */
export const changed = ['partners', 'stats', 'dashboard', 'balances'] as const

export const startPartners = ({ client, role, search }: { client: QueryClient; role: Role; search: SearchParams }) =>
  client.prefetchQuery(partners(role, tableQuery(search, partnerTable(role))))

type Start = { client: QueryClient; role: Role; params: Record<string, string>; search: SearchParams }

export function startPartner({ client, role, params, search }: Start) {
  const id = params.partnerId ?? ''
  client.prefetchQuery(partner(id))
  if (role.type === 'partner') client.prefetchQuery(subPartners(id, tableQuery(search, subPartnerTable(false))))
  if (role.type !== 'account-owner') return
  const { tab } = search
  if (tab === 'sub-partners') client.prefetchQuery(subPartners(id, tableQuery(search, subPartnerTable(true))))
  else if (tab === 'leads') client.prefetchQuery(leads(id, tableQuery(search, leadTable)))
  else if (tab === 'payouts') client.prefetchQuery(payouts(id, tableQuery(search, payoutTable)))
  else {
    const range = rangeIn(search, todayIn(timeZoneHere()))
    client.prefetchQuery(history(id, range))
    client.prefetchQuery(history(id, comparedWith(range)))
    client.prefetchQuery(balance(id))
    client.prefetchQuery(payoutSettings(id))
    // A hundred in most currencies; in one without cents it is asked again.
    client.prefetchQuery(preview(role.accountId, id, 100_00))
  }
  client.prefetchQuery(leadCount(id))
  client.prefetchQuery(payoutCount(id))
}

export const startEditPartner = ({ client, params }: Pick<Start, 'client' | 'params'>) =>
  client.prefetchQuery(partner(params.partnerId ?? ''))
