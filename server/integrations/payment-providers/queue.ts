import { queue } from '../../platform/jobs/queue.ts'

/** Processes a stored event. */
export type ProviderEventJob = { eventId: string }
export const providerEventQueue = queue<ProviderEventJob>('provider-event')

/** Continues an import of past sales. */
export const pastSalesQueue = queue<{ importId: string }>('past-sales')

/** Reconciles the last days of a connection; a failed one is retried at the clock's next run. */
export const reconcileQueue = queue<{ connectionId: string }>('reconcile', {
  policy: 'exclusive',
  retryLimit: 0,
  expireInSeconds: 6 * 3600,
  deleteAfterSeconds: 24 * 3600,
})
