import type { Transaction } from './pool.ts'
import { rawSql, type Sql } from './sql.ts'

const exclusive = rawSql('pg_advisory_xact_lock')
const shared = rawSql('pg_advisory_xact_lock_shared')

/** Locks these names until the transaction ends, in a fixed order, so that there are no deadlocks. */
export const lockKeys = (tx: Transaction, keys: string[]) => lockBy(tx, exclusive, keys)

/** Like `lockKeys`, for any number of transactions at once; only `lockKeys` waits for them, and they for it. */
export const shareKeys = (tx: Transaction, keys: string[]) => lockBy(tx, shared, keys)

async function lockBy(tx: Transaction, lock: Sql, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  await tx.run`
    select ${lock}(place) from (
      select distinct hashtextextended(key, 0) as place from unnest(${keys}::text[]) as key order by place) ordered`
}
