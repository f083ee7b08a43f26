import type { QueryClient } from '@tanstack/react-query'
import { getAccount, getAccountStats, listAccounts } from '#contract/accounts.ts'
import { type ListSearch, listQuery, read } from '../../calls.ts'
import { type SearchParams, type TableDefinition, tableQuery } from '../../ui/table-state.ts'

export const accountTable: TableDefinition = { sort: 'name', filters: ['status'] }

export const accounts = (search: ListSearch) => listQuery(listAccounts, { search })
export const account = (id: string) => read(getAccount, { params: { id } })

/** Figures of all time. */
export const accountStats = (id: string) => read(getAccountStats, { params: { id } })

/** What a change of an account makes stale. */
export const changed = ['accounts'] as const

export const startAccounts = ({ client, search }: { client: QueryClient; search: SearchParams }) =>
  client.prefetchQuery(accounts(tableQuery(search, accountTable)))

export function startAccount({ client, params }: { client: QueryClient; params: Record<string, string> }) {
  const id = params.accountId ?? ''
  client.prefetchQuery(account(id))
  client.prefetchQuery(accountStats(id))
}
