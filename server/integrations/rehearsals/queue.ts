import { queue } from '../../platform/jobs/queue.ts'

/** Plays a sale through. Its user is looking at the screen: later tries would reach nobody. */
export const rehearsalQueue = queue<{ rehearsalId: string }>('rehearsal', { retryLimit: 2, retryDelay: 1 })
