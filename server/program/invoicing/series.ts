import type { Invoicing } from '#contract/invoices.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'

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
