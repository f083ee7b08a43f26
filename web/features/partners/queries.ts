import type { QueryClient } from '@tanstack/react-query'
import { getPartner, listPartners, listSubPartners } from '#contract/partners.ts'
import type { Role } from '#contract/users.ts'
import { type ListSearch, listQuery, read } from '../../calls.ts'
import { type SearchParams, type TableDefinition, tableQuery } from '../../ui/table-state.ts'

export const partnerTable: TableDefinition = { sort: '-salesRevenue', filters: ['state', 'parentPartnerId'] }

/** To the owner every partner of the account, to a partner his own sub-partners. */
export const partners = (role: Role, search: ListSearch) =>
  role.type === 'partner'
    ? listQuery(listSubPartners, { params: { id: role.partnerId }, search })
    : listQuery(listPartners, { params: { id: role.type === 'account-owner' ? role.accountId : '' }, search })

export const partner = (id: string) => read(getPartner, { params: { id } })

/** What a change of a partner makes stale. */
export const changed = ['partners', 'stats', 'dashboard', 'balances'] as const

export const startPartners = ({ client, role, search }: { client: QueryClient; role: Role; search: SearchParams }) =>
  client.prefetchQuery(partners(role, tableQuery(search, partnerTable)))
