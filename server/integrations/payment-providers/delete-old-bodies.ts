import { inBatches } from '../../platform/database/in-batches.ts'
import type { Database } from '../../platform/database/pool.ts'

/** Days after which the bodies of processed events are emptied in every account. */
export const KEPT_BODY_DAYS = 30

/** Empties bodies of an account’s processed events that came before then. */
export async function emptyBodiesBefore(db: Database, accountId: string, before: Date): Promise<void> {
  // older ones are empty already, but for events that still wait
  const from = new Date(db.now.getTime() - (KEPT_BODY_DAYS + 1) * 86_400_000)
  const shops = await db.many<{ id: string }>`
    select id from provider_shops where account_id = ${accountId} order by id`
  for (const { id } of shops)
    await inBatches(
      2000,
      (limit) => db.run`
        update provider_events set body = null
        where account_id = ${accountId} and id = any(array(
          select id from provider_events
          where account_id = ${accountId} and shop_id = ${id} and received_at >= ${from} and received_at < ${before}
            and body is not null and state in ('processed', 'ignored')
          order by received_at, id limit ${limit}))`,
    )
}
