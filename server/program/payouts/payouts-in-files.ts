import type { PayoutMethod } from '#contract/payouts.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Tax } from './taxes.ts'

// The payouts in payment files. A payout may have been in several, one after the other; at most one of these is live,
// that is, may still pay it.

/**
 * A payout in the newest of its files. `amount` is the payout's when it was put in, `payAmount` what the file pays; both
 * are null in files of releases that did not store them, and `fileId`, `fileNumber` and `reference` in those of the
 * release before.
 */
export type PayoutInFile = Tax & {
  payoutId: string
  fileId: string | null
  fileNumber: number | null
  method: PayoutMethod
  turn: number
  reference: string | null
  /** The provider's profile that it is paid from, and the recipient there. */
  by: string | null
  recipient: string | null
  amount: number | null
  payAmount: number | null
  live: boolean
}

/**
 * Returns those of these payouts that are or were in a file, with the newest. Servers of the release before write
 * another table, which the next release drops.
 */
export const findPayoutsInFiles = (db: Queryable, accountId: string, payoutIds: string[]) => db.many<PayoutInFile>`
  select distinct on (payout_id) * from (
    select p.payout_id, p.file_id, f.number as file_number, f.method, p.turn, p.reference, f.profile_id as by, p.recipient_id as recipient,
      p.amount, p.pay_amount, coalesce(p.pay_amount - p.amount, 0) as tax_amount, p.invoice_terms, p.live
    from payment_file_payouts p join payment_files f on f.account_id = p.account_id and f.id = p.file_id
    where p.account_id = ${accountId} and p.payout_id = any(${payoutIds}::uuid[])
    union all
    select b.payout_id, null, null, 'csv', 0, null, b.profile_id, b.recipient_id, b.amount, b.amount + b.tax_amount, b.tax_amount,
      b.invoice_terms, o.status = 'approved' and o.method = 'csv'
    from wise_batch_payouts b join payouts o on o.account_id = b.account_id and o.id = b.payout_id
    where b.account_id = ${accountId} and b.payout_id = any(${payoutIds}::uuid[])) filed
  order by payout_id, turn desc`

/** Returns the live files of these payouts. */
export async function findLiveFiles(db: Queryable, accountId: string, payoutIds: string[]) {
  const rows = await db.many<{ payoutId: string; id: string; number: number }>`
    select p.payout_id, f.id, f.number
    from payment_file_payouts p join payment_files f on f.account_id = p.account_id and f.id = p.file_id
    where p.account_id = ${accountId} and p.payout_id = any(${payoutIds}::uuid[]) and p.live`
  return new Map(rows.map(({ payoutId, ...file }) => [payoutId, file]))
}

/** Whether payout `o` is in a live file, in SQL. */
export const isInFile = (accountId: string) => sql`exists (
  select from payment_file_payouts p where p.account_id = ${accountId} and p.payout_id = o.id and p.live)`

/** Whether payout `t` is or was in one of these files, in SQL. */
export const wasInFile = (accountId: string, fileIds: string[]) => sql`t.id in (
  select p.payout_id from payment_file_payouts p
  where p.account_id = ${accountId} and p.file_id = any(${fileIds.map(asUuid)}::uuid[]))`

/** Takes payouts out of their live files: they were paid, or no longer are by them. */
export const removeFromFiles = (tx: Transaction, accountId: string, payoutIds: string[]) => tx.run`
  update payment_file_payouts set live = false
  where account_id = ${accountId} and payout_id = any(${payoutIds}::uuid[]) and live`
