import { inBatches } from '../database/in-batches.ts'
import type { Services } from '../services.ts'

/** So long a webhook can be sent again with the object as it was. */
const KEEP_DAYS = 90
const BATCH = 5000

/** Lets the objects of old events go, and events that nobody is shown. What has not been relayed stays. */
export async function forgetOldEvents({ db }: Pick<Services, 'db'>): Promise<void> {
  const before = new Date(db.now.getTime() - KEEP_DAYS * 86_400_000)
  await inBatches(BATCH, async (limit) => {
    const { forgotten } = await db.one<{ forgotten: number }>`select forget_events(${before}, ${limit}) as forgotten`
    return forgotten
  })
}
