import { listPushRequests } from '#contract/push.ts'
import { type Opened, type Reads, read } from '../../calls.ts'
import { apiKeys } from '../../shared/api-keys.ts'
import { brand } from '../../shared/brand.ts'
import { isTeam } from '../../shared/roles.ts'

/** Poll interval: users may be testing their system while watching this page. */
const AGAIN_MS = 5000

/** The last 100 requests of the account's own systems. */
export const pushRequests = (id: string) => ({
  ...read(listPushRequests, { params: { id }, query: { limit: 100 } }),
  refetchInterval: AGAIN_MS,
})

export const readsOfPushData = ({ role }: Opened): Reads =>
  isTeam(role) ? [apiKeys(role.accountId), pushRequests(role.accountId), brand(role.accountId)] : []
