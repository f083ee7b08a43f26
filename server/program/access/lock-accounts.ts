import { type LockKey, lockKeys, shareKeys } from '../../platform/database/lock-keys.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type AccountFacts, accountFacts } from './account-facts.ts'

const keyOf = (id: string): LockKey => ({ accountId: id, name: `account ${id}` })

/**
 * Locks these accounts in share mode until the transaction ends and returns their current facts. Bookings read
 * currency, time zone, delay, policy and rates here, not from what the request read before. A change of the account
 * waits for all these locks. They are advisory: a cluster has the accounts on every machine, and would lock all of them
 * for one row.
 */
export async function holdAccounts(tx: Transaction, ids: string[]): Promise<Map<string, AccountFacts>> {
  if (ids.length === 0) return new Map()
  const held = [...new Set(ids)]
  const [, rows] = await Promise.all([
    shareKeys(tx, held.map(keyOf)),
    tx.many<AccountFacts>`select ${accountFacts} from accounts a where a.id = any(${held}::uuid[])`,
  ])
  return new Map(rows.map((row) => [row.id, row]))
}

/** Waits for the bookings of an account, and keeps others out until the transaction ends: what they read changes. */
export const blockBookings = (tx: Transaction, id: string) => lockKeys(tx, [keyOf(id)])

export const lockAccountShared = async (tx: Transaction, id: string) => (await holdAccounts(tx, [id])).get(id)!
