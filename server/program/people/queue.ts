import { queue } from '../../platform/jobs/queue.ts'

/** Empties the next rows of an erased person. */
export const erasureQueue = queue<{ accountId: string; erasureId: string }>('erasure')
