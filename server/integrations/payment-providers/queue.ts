import { queue } from '../../platform/jobs/queue.ts'

/** A stored event is processed. */
export type ProviderEventJob = { eventId: string }
export const providerEventQueue = queue<ProviderEventJob>('provider-event')
