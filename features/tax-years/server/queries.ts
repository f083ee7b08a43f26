import type { Queryable, Transaction } from '#server/platform/database/pool.ts'

export async function findThreshold(db: Queryable, accountId: string, year: number): Promise<number | null> {
  const row = await db.maybe<{ amount: number }>`
    select amount from tax_thresholds where account_id = ${accountId} and year = ${year}`
  return row?.amount ?? null
}

/** Serializes changes of one account's thresholds. */
export const lockThresholds = (tx: Transaction, accountId: string) =>
  tx.one`select id from accounts where id = ${accountId} for no key update`

export const saveThreshold = (tx: Transaction, accountId: string, year: number, amount: number | null) =>
  amount === null
    ? tx.run`delete from tax_thresholds where account_id = ${accountId} and year = ${year}`
    : tx.run`
        insert into tax_thresholds (account_id, year, amount, updated_at)
        values (${accountId}, ${year}, ${amount}, ${tx.now})
        on conflict (account_id, year) do update set amount = excluded.amount, updated_at = excluded.updated_at`

/** Returns those of these that are partners of the account. */
export const partnersAmong = async (db: Queryable, accountId: string, ids: string[]) => {
  const rows = await db.many<{ id: string }>`
    select id from partners where account_id = ${accountId} and id = any(${ids}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}
