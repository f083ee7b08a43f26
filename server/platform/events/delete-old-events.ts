import { inBatches } from '../database/in-batches.ts'
import { renewMonths } from '../database/months.ts'
import type { Services } from '../services.ts'

/** Days in which a webhook can at least be sent again with its original object. */
export const KEPT_EVENT_DAYS = 90
const BATCH = 5000

/**
 * Drops months of old events that were only relayed, unless a relay or a delivery still refers to one; creates the
 * coming months, also of events shown to people, which stay. Events outside the months are deleted in batches.
 */
export async function deleteOldEvents({ db }: Pick<Services, 'db'>): Promise<void> {
  const before = new Date(db.now.getTime() - KEPT_EVENT_DAYS * 86_400_000)
  await renewMonths(db, 'events', null)
  await renewMonths(db, 'passing_events', before)
  await inBatches(BATCH, (limit) => db.value<number>`select forget_events(${before}, ${limit})`)
}
