import { queue } from '../../platform/jobs/queue.ts'

/** A payout under way is looked at. `poll`: a look that comes again by itself, so it is not tried again. */
export type PayOutJob = { payoutId: string; poll?: boolean }
export const payOutQueue = queue<PayOutJob>('pay-out')

/** A page of an account's transfers is read back; `from` is where it begins. */
export type ReadBackJob = { accountId: string; readingId: string; from: string | null }
export const readBackQueue = queue<ReadBackJob>('read-back-payouts')
