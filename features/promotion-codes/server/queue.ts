import { queue } from '#server/platform/jobs/queue.ts'

/** Makes a promotion code at its provider, or turns it on or off there; a failed one is found by the clock. */
export const madeCodeQueue = queue<{ accountId: string; codeId: string }>('promotion-code', {
  retryLimit: 0,
  deleteAfterSeconds: 24 * 3600,
})
