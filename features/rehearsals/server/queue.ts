import { queue } from '#server/platform/jobs/queue.ts'

/** A job queued by an earlier version names no account. */
export type RehearsalJob = { rehearsalId: string; accountId?: string }

/** Plays a sale through. Few tries, because its user is watching the screen. */
export const rehearsalQueue = queue<RehearsalJob>('rehearsal', { retryLimit: 2, retryDelay: 1 })
