import { queue } from '../../platform/jobs/queue.ts'

/**
 * A job queued by an earlier version names no account. `replayedBy`: the person at whose request it runs again, or whose
 * word it is that a processed delivery is of the person whose external ID it names (`isSamePerson`).
 */
export type IncomingJob = {
  deliveryId: string
  accountId?: string
  replayedBy?: string | null
  isSamePerson?: boolean
}

/** Processes a received delivery. */
export const incomingQueue = queue<IncomingJob>('incoming-delivery')
