import { inBatches } from '../../platform/database/in-batches.ts'
import type { Database } from '../../platform/database/pool.ts'
import { deleteClicksBefore } from './queries.ts'

/** How long single clicks are kept; what they count for is kept for ever. */
export const KEPT_DAYS = 400

const AT_ONCE = 10_000

/** Removes clicks that are too old, a few at a time so that nothing waits for it. */
export async function forgetOldClicks(db: Database): Promise<void> {
  const before = new Date(db.now.getTime() - KEPT_DAYS * 86_400_000)
  await inBatches(AT_ONCE, (limit) => deleteClicksBefore(db, before, limit))
}
