import { listPushRequests } from '#contract/push.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { apiKeysQuery } from '../../shared/api-keys.ts'
import { brandQuery } from '../../shared/brand.ts'
import { isTeam } from '../../shared/roles.ts'

/** Poll interval: users may be testing their system while watching this page. */
const AGAIN_MS = 5000

/** The last 100 requests of the account's own systems. */
export const pushRequestsQuery = (id: string) => ({
  ...apiQuery(listPushRequests, { params: { id }, query: { limit: 100 } }),
  refetchInterval: AGAIN_MS,
})

export const readsOfPushData = ({ role }: Opened): Reads =>
  isTeam(role) ? [apiKeysQuery(role.accountId), pushRequestsQuery(role.accountId), brandQuery(role.accountId)] : []
