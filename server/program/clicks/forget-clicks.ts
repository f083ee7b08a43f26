import { inBatches } from '../../platform/database/in-batches.ts'
import { renewMonths } from '../../platform/database/months.ts'
import type { Database } from '../../platform/database/pool.ts'
import { deleteClicksBefore, tablesOutsideMonths } from './queries.ts'

/** How long single clicks are kept at least; what they count for is kept for ever. */
export const KEPT_DAYS = 400

const AT_ONCE = 10_000

/**
 * Drops the months whose clicks are all too old, and makes the coming ones. Clicks outside the months are removed a few at a
 * time, so that nothing waits for it.
 */
export async function forgetOldClicks(db: Database): Promise<void> {
  const before = new Date(db.now.getTime() - KEPT_DAYS * 86_400_000)
  await renewMonths(db, 'clicks', before)
  for (const { name } of await tablesOutsideMonths(db))
    await inBatches(AT_ONCE, (limit) => deleteClicksBefore(db, name, before, limit))
}
