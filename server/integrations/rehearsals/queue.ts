import { queue } from '../../platform/jobs/queue.ts'

/** Plays a sale through. Whoever waits for it is looking at the screen: later tries would tell nobody. */
export const rehearsalQueue = queue<{ rehearsalId: string }>('rehearsal', { retryLimit: 2, retryDelay: 1 })
