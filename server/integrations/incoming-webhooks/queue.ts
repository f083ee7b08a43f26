import { queue } from '../../platform/jobs/queue.ts'

/** A received delivery is processed. */
export const incomingQueue = queue<{ deliveryId: string }>('incoming-delivery')
