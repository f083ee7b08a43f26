import { queue } from '../../platform/jobs/queue.ts'

/** `looks`: passes so far that found rows in use. */
export type ErasureJob = { accountId: string; erasureIds: string[]; looks?: number }

/** Empties the next rows of erased people. */
export const erasureQueue = queue<ErasureJob>('erasure')
