import { getBrand } from '#contract/portal.ts'
import { listPushRequests } from '#contract/push.ts'
import { type Opened, type Reads, read } from '../../calls.ts'
import { apiKeys } from '../../shared/api-keys.ts'
import { isTeam } from '../../shared/roles.ts'

/** Poll interval: users may be testing their system while watching this page. */
const AGAIN_MS = 5000

/** The last 100 requests of the account's own systems. */
export const pushRequests = (id: string) => ({
  ...read(listPushRequests, { params: { id }, query: { limit: 100 } }),
  refetchInterval: AGAIN_MS,
})

/** The sites that may frame the portal. */
export const brand = (id: string) => read(getBrand, { params: { id } })

export const readsOfPushData = ({ role }: Opened): Reads =>
  isTeam(role) ? [apiKeys(role.accountId), pushRequests(role.accountId), brand(role.accountId)] : []
