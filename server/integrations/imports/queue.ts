import { queue } from '../../platform/jobs/queue.ts'

/** An import to continue; a job queued by an earlier version names no account. */
export type ImportJob = { importId: string; accountId?: string }

/** Continues an import: reading its file, or undoing what it created. */
export const importQueue = queue<ImportJob>('import')
