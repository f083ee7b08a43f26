import { queue } from '../../platform/jobs/queue.ts'

/** Takes the next of the many. */
export const bulkActionQueue = queue<{ accountId: string; bulkActionId: string }>('bulk-action')
