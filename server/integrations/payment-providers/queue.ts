import { queue } from '../../platform/jobs/queue.ts'

/** A stored event is processed. */
export type ProviderEventJob = { eventId: string }
export const providerEventQueue = queue<ProviderEventJob>('provider-event')

/** Goes on with an import of past sales. */
export const pastSalesQueue = queue<{ importId: string }>('past-sales')

/** Goes through the last days of a connection; one that fails is tried again by the next stroke of the clock. */
export const reconcileQueue = queue<{ connectionId: string }>('reconcile', {
  policy: 'exclusive',
  retryLimit: 0,
  expireInSeconds: 6 * 3600,
  deleteAfterSeconds: 24 * 3600,
})
