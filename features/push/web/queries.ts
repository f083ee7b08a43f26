import { apiQuery, type Opened, type Reads } from '#web/calls.ts'
import { apiKeysQuery } from '#web/shared/api-keys.ts'
import { isTeam } from '#web/shared/roles.ts'
import { listPushRequests } from '../contract.ts'

/** Poll interval: users may be testing their system while watching this page. */
const AGAIN_MS = 5000

/** The last 100 requests of the account's own systems. */
export const pushRequestsQuery = (id: string) => ({
  ...apiQuery(listPushRequests, { params: { id }, query: { limit: 100 } }),
  refetchInterval: AGAIN_MS,
})

export const readsOfPushData = ({ role }: Opened): Reads =>
  isTeam(role) ? [apiKeysQuery(role.accountId), pushRequestsQuery(role.accountId)] : []
