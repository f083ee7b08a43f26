import { inBatches } from '../../platform/database/in-batches.ts'
import { transaction } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'
import { forgetBefore } from './queries.ts'

/** As long as payloads are kept. */
const KEEP_DAYS = 30
const BATCH = 2000

/** Lets old deliveries go with their payloads; what they made stays, and when the last of them came. */
export async function forgetIncomingDeliveries({ db }: Pick<Services, 'db'>): Promise<void> {
  const before = new Date(db.now.getTime() - KEEP_DAYS * 86_400_000)
  await inBatches(BATCH, (limit) => transaction(db, (tx) => forgetBefore(tx, before, limit)))
}
