import type { Invoicing } from '#contract/invoices.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** The series of an account's invoices and credit notes. */
export type Series = Pick<Invoicing, 'prefix' | 'nextNumber' | 'unsure'>

const first: Series = { prefix: 'INV-', nextNumber: 1, unsure: false }

export const seriesOf = async (db: Queryable, accountId: string): Promise<Series> =>
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

/** The number of the invoice of a payout that no credit note takes back, in SQL. */
export const invoiceNumberOf = (payout: Sql): Sql => sql`(
  select ${numberSql(sql`i`)} from invoices i
  where i.account_id = ${payout}.account_id and i.payout_id = ${payout}.id and i.kind = 'invoice' and not exists (
    select from invoices c where c.account_id = i.account_id and c.credits = i.id)
  order by i.turn desc limit 1)`
