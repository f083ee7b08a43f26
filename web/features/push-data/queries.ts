import type { QueryClient } from '@tanstack/react-query'
import { listPushRequests } from '#contract/push.ts'
import type { Role } from '#contract/users.ts'
import { read } from '../../calls.ts'

/** Somebody may be trying his system out beside this page. */
const AGAIN_MS = 5000

/** The last 100 requests of an account's own systems. */
export const pushRequests = (id: string) => ({
  ...read(listPushRequests, { params: { id }, query: { limit: 100 } }),
  refetchInterval: AGAIN_MS,
})

export function startPushData({ client, role }: { client: QueryClient; role: Role }) {
  if (role.type === 'account-owner') client.prefetchQuery(pushRequests(role.accountId))
}
