import { queue } from '../../platform/jobs/queue.ts'

/** Processes a received delivery. */
export const incomingQueue = queue<{ deliveryId: string }>('incoming-delivery')
