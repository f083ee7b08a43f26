import type { Transaction } from './pool.ts'

/** Locks these names until the transaction ends, in a fixed order, so that there are no deadlocks. */
export async function lockKeys(tx: Transaction, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  await tx.run`
    select pg_advisory_xact_lock(place) from (
      select distinct hashtextextended(key, 0) as place from unnest(${keys}::text[]) as key order by place) ordered`
}
