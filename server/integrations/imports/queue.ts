import { queue } from '../../platform/jobs/queue.ts'

/** Continues an import: reading its file, or undoing what it created. */
export const importQueue = queue<{ importId: string }>('import')
