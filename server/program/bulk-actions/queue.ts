import { queue } from '../../platform/jobs/queue.ts'

type Next = { accountId: string; bulkActionId: string }

/** Takes the next of the many. */
export const bulkActionQueue = queue<Next>('bulk-actions')

/** Jobs of servers of the release before, which don’t know every action and so must not get jobs of this one. */
export const formerBulkActionQueue = queue<Next>('bulk-action')
