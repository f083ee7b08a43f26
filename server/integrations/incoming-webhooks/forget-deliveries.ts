import { inBatches } from '../../platform/database/in-batches.ts'
import { transaction } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'
import { forgetBefore } from './queries.ts'

/** Days, equal to the retention of payloads. */
const KEEP_DAYS = 30
const BATCH = 2000

/**
 * Deletes old deliveries with their payloads; the objects they created stay, and the time of the last one is stored.
 */
export async function forgetIncomingDeliveries({ db }: Pick<Services, 'db'>): Promise<void> {
  const before = new Date(db.now.getTime() - KEEP_DAYS * 86_400_000)
  await inBatches(BATCH, (limit) => transaction(db, (tx) => forgetBefore(tx, before, limit)))
}
