import type { Transaction } from '../../platform/database/pool.ts'
import { type AccountFacts, accountFacts } from './account-facts.ts'

/**
 * Locks these accounts in share mode until the transaction ends and returns their current facts. Bookings read
 * currency, time zone, delay, policy and rates here, not from what the request read before. A change of the account
 * waits for all these locks.
 */
export async function holdAccounts(tx: Transaction, ids: string[]): Promise<Map<string, AccountFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.many<AccountFacts>`
    select ${accountFacts} from accounts a where a.id = any(${[...new Set(ids)]}::uuid[]) order by a.id for share`
  return new Map(rows.map((row) => [row.id, row]))
}

export const holdAccount = async (tx: Transaction, id: string) => (await holdAccounts(tx, [id])).get(id)!
