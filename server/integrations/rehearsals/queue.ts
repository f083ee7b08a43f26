import { queue } from '../../platform/jobs/queue.ts'

/** Plays a sale through. Few tries, because its user is watching the screen. */
export const rehearsalQueue = queue<{ rehearsalId: string }>('rehearsal', { retryLimit: 2, retryDelay: 1 })
