import { newId } from '../../server/platform/database/ids.ts'
import type { Database } from '../../server/platform/database/pool.ts'

/** Stores a payment file of a payout that is over by now. */
export async function aPaymentFile({ db }: { db: Database }, accountId: string, payoutId: string) {
  const id = newId()
  await db.run`
    insert into payment_files (account_id, id, number, method, message_id, count, amount, currency, created_at)
    select account_id, ${id}, n.number, 'csv', 'TRB-test-' || n.number, 1, coalesce(amount, 0), currency, ${db.now} from payouts cross join lateral (
      select count(*)::integer + 1 as number from payment_files f where f.account_id = ${accountId}) n
    where account_id = ${accountId} and id = ${payoutId}`
  await db.run`
    insert into payment_file_payouts (account_id, file_id, payout_id, turn, reference, amount, pay_amount, live)
    select account_id, ${id}, id, 1, 'PO-' || statement_number, amount, coalesce(amount, 0), false from payouts
    where account_id = ${accountId} and id = ${payoutId}`
  return { id }
}
