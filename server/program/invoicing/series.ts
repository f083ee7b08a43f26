import type { Invoicing } from '#contract/invoices.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { sendSignal } from '../../platform/events/emit-event.ts'
import { seriesUnsure } from './signals.ts'

/** The series of an account's invoices and credit notes. */
export type Series = Pick<Invoicing, 'prefix' | 'nextNumber' | 'unsure'>

const first: Series = { prefix: 'INV-', nextNumber: 1, unsure: false }

export const getSeries = async (db: Queryable, accountId: string): Promise<Series> =>
  (await db.maybe<Series>`
    select prefix, next_number, unsure_since is not null as unsure from invoice_series
    where account_id = ${accountId}`) ?? first

/** Locks the series, inserted if missing: the last lock of every transaction, so that numbers have no gaps. */
export async function lockSeries(tx: Transaction, accountId: string): Promise<Series> {
  await tx.run`
    insert into invoice_series (account_id, updated_at) values (${accountId}, ${tx.now}) on conflict do nothing`
  return tx.one<Series>`
    select prefix, next_number, unsure_since is not null as unsure from invoice_series
    where account_id = ${accountId} for update`
}

/** The name of a document `i` in SQL, such as INV-118; null while it waits for its number. */
export const numberSql = (i: Sql): Sql => sql`${i}.prefix || ${i}.number`

/**
 * The number of the invoice of a payout that no credit note takes back, in SQL. Names the account, as a cluster finds
 * its machine by that.
 */
export const invoiceNumberSql = (accountId: string, payoutId: Sql): Sql => sql`(
  select ${numberSql(sql`i`)} from invoices i
  where i.account_id = ${accountId} and i.payout_id = ${payoutId} and i.kind = 'invoice' and not exists (
    select from invoices c where c.account_id = ${accountId} and c.credits = i.id)
  order by i.turn desc limit 1)`

/**
 * Marks the series of these accounts `a`, or of all, as unsure: the database is an older copy, which may have forgotten
 * numbers. Their owners are mailed. An account without invoicing that never had a series is left alone.
 */
export async function markUnsure(tx: Transaction, which: Sql = sql`true`) {
  const unsure = await tx.many<{ accountId: string }>`
    insert into invoice_series as s (account_id, unsure_since, updated_at)
    select a.id, ${tx.now}, ${tx.now} from accounts a
    where ${which} and (exists (select from invoice_series k where k.account_id = a.id)
      or exists (select from invoicing_settings k where k.account_id = a.id and k.enabled))
    order by a.id
    on conflict (account_id) do update set unsure_since = excluded.unsure_since, updated_at = excluded.updated_at
      where s.unsure_since is null
    returning account_id`
  for (const { accountId } of unsure) await sendSignal(tx, accountId, seriesUnsure, { since: tx.now.toISOString() })
}
