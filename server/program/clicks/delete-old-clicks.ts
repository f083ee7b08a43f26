import { inBatches } from '../../platform/database/in-batches.ts'
import { renewMonths } from '../../platform/database/months.ts'
import type { Database } from '../../platform/database/pool.ts'
import { deleteClicksBefore, tablesOutsideMonths } from './queries.ts'

/** Days that single clicks are stored at least; their counts are stored for ever. */
export const KEPT_CLICK_DAYS = 400

const AT_ONCE = 10_000

/**
 * Drops the months whose clicks are all too old, and creates the coming ones. Deletes clicks outside the months in
 * small batches, so that other work does not wait.
 */
export async function deleteOldClicks(db: Database): Promise<void> {
  const before = new Date(db.now.getTime() - KEPT_CLICK_DAYS * 86_400_000)
  await renewMonths(db, 'clicks', before)
  for (const { name } of await tablesOutsideMonths(db))
    await inBatches(AT_ONCE, (limit) => deleteClicksBefore(db, name, before, limit))
}
