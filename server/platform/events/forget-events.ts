import { inBatches } from '../database/in-batches.ts'
import { renewMonths } from '../database/months.ts'
import type { Services } from '../services.ts'

/** So long at least a webhook can be sent again with the object as it was. */
export const KEPT_DAYS = 90
const BATCH = 5000

/**
 * Drops the months of events that were only handed on and are all old enough, unless a relay or a delivery still refers to
 * one; makes the coming months, also of events that people are shown, which stay. Events outside the months are deleted a few
 * at a time.
 */
export async function forgetOldEvents({ db }: Pick<Services, 'db'>): Promise<void> {
  const before = new Date(db.now.getTime() - KEPT_DAYS * 86_400_000)
  await renewMonths(db, 'events', null)
  await renewMonths(db, 'passing_events', before)
  await inBatches(BATCH, async (limit) => {
    const { forgotten } = await db.one<{ forgotten: number }>`select forget_events(${before}, ${limit}) as forgotten`
    return forgotten
  })
}
