import type { QueryClient } from '@tanstack/react-query'
import { listAvailableProviders } from '#contract/payment-providers.ts'
import type { Role } from '#contract/users.ts'
import { read } from '../../calls.ts'

/** What can be connected here, and what each asks for. */
export const available = (accountId: string) => read(listAvailableProviders, { params: { id: accountId } })

/** What a change of a connection makes stale. */
export const changed = ['payment-providers', 'dashboard'] as const

export function startProviders({ client, role }: { client: QueryClient; role: Role }) {
  if (role.type === 'account-owner') client.prefetchQuery(available(role.accountId))
}
