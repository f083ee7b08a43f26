import { queue } from '../../platform/jobs/queue.ts'

/** A job queued by an earlier version names no account. */
export type IncomingJob = { deliveryId: string; accountId?: string }

/** Processes a received delivery. */
export const incomingQueue = queue<IncomingJob>('incoming-delivery')
