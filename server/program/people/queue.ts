import { queue } from '../../platform/jobs/queue.ts'

/** Empties the next rows of erased people. */
export const erasureQueue = queue<{ accountId: string; erasureIds: string[]; looks?: number }>('erasure')
