import { inBatches } from '../../platform/database/in-batches.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Services } from '../../platform/services.ts'

/** Days, equal to the retention of events' objects. */
const KEEP_DAYS = 90
const BATCH = 5000

/** Deletes old deliveries, and those of deleted webhooks, which are removed after their last. */
export async function forgetOldDeliveries({ db }: Pick<Services, 'db'>): Promise<void> {
  const before = new Date(db.now.getTime() - KEEP_DAYS * 86_400_000)
  const old = (limit: number) => sql`
    select id from outgoing_deliveries where created_at < ${before} order by created_at limit ${limit}`
  const ofDeleted = (limit: number) => sql`
    select d.id from outgoing_webhooks w join outgoing_deliveries d on d.webhook_id = w.id
    where w.deleted_at is not null limit ${limit}`
  for (const choose of [old, ofDeleted])
    await inBatches(BATCH, (limit) => db.run`delete from outgoing_deliveries where id = any(array(${choose(limit)}))`)
  await db.run`
    delete from outgoing_webhooks w
    where deleted_at is not null and not exists (select from outgoing_deliveries d where d.webhook_id = w.id)`
}
