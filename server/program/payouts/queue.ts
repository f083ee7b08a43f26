import { queue } from '../../platform/jobs/queue.ts'

/** Checks a payout under way. `poll`: a periodic check, which is not retried; `tries`: earlier ones, put off in a row. */
export type PayOutJob = { payoutId: string; poll?: boolean; tries?: number }
export const payOutQueue = queue<PayOutJob>('pay-out')

/** Reads a page of an account's transfers back; `from` is its start. */
export type ReadBackJob = { accountId: string; readingId: string; from: string | null }
export const readBackQueue = queue<ReadBackJob>('read-back-payouts')
