import { newId } from '../../server/platform/database/ids.ts'
import type { Database } from '../../server/platform/database/pool.ts'

/** Stores a payment file whose payouts were all paid. */
export async function aPaymentFile({ db }: { db: Database }, accountId: string): Promise<{ id: string }> {
  const id = newId()
  await db.run`
    insert into payment_files (account_id, id, number, method, message_id, count, amount, currency, created_at)
    values (${accountId}, ${id}, 1, 'csv', 'TRB-test-1', 1, 100, 'usd', ${db.now})`
  return { id }
}
