import { type NameCheck, nameChecks } from '#contract/payouts.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { Reader } from './methods/method.ts'
import { nameCheckPhrases, wordForReader } from './reason-text.ts'

// Banks compare the name of a payee with that of the account before they carry a transfer out, and report it.

type Result = NameCheck['result']

export const nameCheckInWords = (result: Result) => nameCheckPhrases[result]

type Row = { result: Result; at: string }

/** Its message is worded when it is read. */
const present = ({ result, at }: Row, reader: Reader): NameCheck => ({
  result,
  get message() {
    return wordForReader(reader, () => nameCheckInWords(result))
  },
  at,
})

/** Returns what banks found last, by payout. */
export async function findNameChecks(db: Queryable, accountId: string, payoutIds: string[], reader: Reader) {
  const rows = await db.many<Row & { payoutId: string }>`
    select distinct on (payout_id) payout_id, name_check as result, name_checked_at as at from payment_file_payouts
    where account_id = ${accountId} and payout_id = any(${payoutIds}::uuid[]) and name_check is not null
    order by payout_id, turn desc`
  return new Map(rows.map((row) => [row.payoutId, present(row, reader)]))
}

/** Returns what a bank found last for a partner's present details; null if it found nothing. */
export async function nameCheckOfDetails(db: Queryable, accountId: string, partnerId: string, reader: Reader) {
  const row = await db.maybe<Row>`
    select p.name_check as result, p.name_checked_at as at
    from payouts o join payment_file_payouts p on p.account_id = o.account_id and p.payout_id = o.id
      join payment_files f on f.account_id = p.account_id and f.id = p.file_id
      join payout_settings d on d.account_id = o.account_id and d.partner_id = o.partner_id
    where o.account_id = ${accountId} and o.partner_id = ${partnerId} and p.name_check is not null
      and d.updated_at <= f.created_at
    order by f.created_at desc limit 1`
  return row ? present(row, reader) : null
}

/** Whether a bank doubts the name in the file that may still pay payout `o`, in SQL. */
export const isNameDoubted = (accountId: string): Sql => sql`exists (
  select from payment_file_payouts p
  where p.account_id = ${accountId} and p.payout_id = o.id and p.live and p.name_check in ('close-match', 'no-match'))`

/** Keeps what a bank found for a payment of a file, unless it found worse: reports may come in any order. */
export const saveNameCheck = (
  tx: Transaction,
  accountId: string,
  { fileId, payoutId }: { fileId: string | null; payoutId: string },
  result: Result,
) => tx.run`
  update payment_file_payouts set name_check = ${result}, name_checked_at = ${tx.now}
  where account_id = ${accountId} and file_id = ${fileId} and payout_id = ${payoutId}
    and coalesce(array_position(${nameChecks}::text[], name_check), 0) < array_position(${nameChecks}::text[], ${result}::text)`
