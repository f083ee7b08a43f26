import { listPushRequests } from '#contract/push.ts'
import { read } from '../../calls.ts'
import type { Opened, Reads } from '../../reads.ts'

/** Somebody may be trying their system out beside this page. */
const AGAIN_MS = 5000

/** The last 100 requests of an account's own systems. */
export const pushRequests = (id: string) => ({
  ...read(listPushRequests, { params: { id }, query: { limit: 100 } }),
  refetchInterval: AGAIN_MS,
})

export const readsOfPushData = ({ role }: Opened): Reads =>
  role.type === 'account-owner' ? [pushRequests(role.accountId)] : []
