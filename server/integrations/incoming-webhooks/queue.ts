import { queue } from '../../platform/jobs/queue.ts'

/** A job queued by an earlier version names no account. `replayedBy`: the person at whose request it runs again. */
export type IncomingJob = { deliveryId: string; accountId?: string; replayedBy?: string | null }

/** Processes a received delivery. */
export const incomingQueue = queue<IncomingJob>('incoming-delivery')
