import { inBatches } from '../../platform/database/in-batches.ts'
import type { Services } from '../../platform/services.ts'
import { forgetRows } from './queries.ts'

const KEPT_MS = 30 * 86_400_000

/** Deletes the results of each row thirty days after the import ended; its sums stay. */
export const forgetImportRows = ({ db }: Services) =>
  inBatches(1000, (limit) => forgetRows(db, new Date(db.now.getTime() - KEPT_MS), limit))
