import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getAccount, getAccountStats } from '#contract/accounts.ts'
import { listConnections } from '#contract/payment-providers.ts'
import type { Role } from '#contract/users.ts'
import { call, whoAmI } from '../../api.ts'

export const me = queryOptions({ queryKey: ['users', 'me'], queryFn: ({ signal }) => whoAmI(signal) })

export const account = (id: string) =>
  queryOptions({
    queryKey: ['accounts', { id }],
    queryFn: ({ signal }) => call(getAccount, { params: { id }, signal }),
  })

/** Figures of all time. */
export const accountStats = (id: string) =>
  queryOptions({
    queryKey: ['accounts', { id }, 'stats'],
    queryFn: ({ signal }) => call(getAccountStats, { params: { id }, signal }),
  })

export const paymentProviders = (id: string) =>
  queryOptions({
    queryKey: ['payment-providers', { accountId: id }],
    queryFn: ({ signal }) => call(listConnections, { params: { id }, signal }),
  })

/** Begins what the gate and the owner's notice need. */
export function startGate({ client, role }: { client: QueryClient; role: Role }) {
  if (role.type === 'admin') return
  client.prefetchQuery(account(role.accountId))
  if (role.type === 'partner') return
  client.prefetchQuery(accountStats(role.accountId))
  client.prefetchQuery(paymentProviders(role.accountId))
}
