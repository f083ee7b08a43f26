import { queue } from '../../platform/jobs/queue.ts'

/** `looks`: number of times that something was still worked on. */
export type ErasureJob = { accountId: string; erasureIds: string[]; looks?: number }

/** Empties the next rows of erased people. */
export const erasureQueue = queue<ErasureJob>('erasure')
