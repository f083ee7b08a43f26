import type { Services } from '../../platform/services.ts'

/** As long as payloads are kept. */
const KEEP_DAYS = 30
const BATCH = 2000

/** Lets old deliveries go with their payloads; what they made stays. */
export async function forgetIncomingDeliveries({ db }: Pick<Services, 'db'>): Promise<void> {
  const before = new Date(db.now.getTime() - KEEP_DAYS * 86_400_000)
  let forgotten: number
  do
    forgotten = await db.run`
      delete from incoming_deliveries where id in (
        select id from incoming_deliveries where created_at < ${before} order by created_at limit ${BATCH})`
  while (forgotten === BATCH)
}
