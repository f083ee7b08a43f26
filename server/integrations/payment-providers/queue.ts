import { queue } from '../../platform/jobs/queue.ts'
import type { ImportJob } from '../imports/queue.ts'

/** Processes a stored event; a job queued by an earlier version names no account. */
export type ProviderEventJob = { eventId: string; accountId?: string }
export const providerEventQueue = queue<ProviderEventJob>('provider-event')

/** Continues an import of past sales. */
export const pastSalesQueue = queue<ImportJob>('past-sales')

/** Reconciles the last days of a connection; a failed one is retried at the clock's next run. */
export const reconcileQueue = queue<{ connectionId: string }>('reconcile', {
  policy: 'exclusive',
  retryLimit: 0,
  expireInSeconds: 6 * 3600,
  deleteAfterSeconds: 24 * 3600,
})
