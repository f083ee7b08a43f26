import { remembersSpread, servesSpread } from './cluster/spread.ts'
import { NIL } from './ids.ts'
import type { Transaction } from './pool.ts'
import { rawSql, type Sql, sql } from './sql.ts'

/** A name to lock, unique in the install. Null: it is of no account. */
export type LockKey = { accountId: string | null; name: string }

const exclusive = rawSql('pg_advisory_xact_lock')
const shared = rawSql('pg_advisory_xact_lock_shared')

/** Locks these names until the transaction ends, in a fixed order, so that there are no deadlocks. */
export const lockKeys = (tx: Transaction, keys: LockKey[]) => lockBy(tx, exclusive, keys)

/** Like `lockKeys`, for any number of transactions at once; only `lockKeys` waits for them, and they for it. */
export const shareKeys = (tx: Transaction, keys: LockKey[]) => lockBy(tx, shared, keys)

/** Sends at once, so that statements of the same turn follow the locks. */
function lockBy(tx: Transaction, lock: Sql, keys: LockKey[]): Promise<unknown> {
  if (keys.length === 0) return Promise.resolve()
  const isSpread = remembersSpread(tx)
  if (isSpread === undefined) return servesSpread(tx).then(() => lockBy(tx, lock, keys))
  if (!isSpread) return tx.run`select ${lock}(place) from ${placesOf(keys)}`
  const byAccount = Map.groupBy(keys, ({ accountId }) => accountId ?? '')
  return Promise.all(
    [...byAccount.keys()].sort().flatMap((accountId) => {
      const places = placesOf(byAccount.get(accountId)!)
      if (accountId === '') return tx.run`select ${lock}(place) from ${places}`
      // each machine has locks of its own: these are taken where the account is, by the worker that is asked for nothing
      const nothing = sql`from event_relays where account_id = ${accountId} and event_id = ${NIL}`
      // a write keeps the account from being moved until the transaction ends
      return [
        tx.run`delete ${nothing}`,
        tx.run`select ${lock}(place) from ${places} cross join (select count(*) ${nothing}) home`,
      ]
    }),
  )
}

const placesOf = (keys: LockKey[]) => sql`(
  select distinct hashtextextended(key, 0) as place from unnest(${keys.map(({ name }) => name)}::text[]) as key order by place) ordered`
