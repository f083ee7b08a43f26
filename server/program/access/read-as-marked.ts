import type { Endpoint } from '#contract/endpoint.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'

/**
 * Reads from the replica, if there is one, else from the machine of the account, when the contract marks the call
 * `fromReplica`; otherwise from the database that is written to.
 */
export function readAsMarked<T>(
  { db, replica, homes }: Pick<Services, 'db' | 'replica' | 'homes'>,
  { fromReplica }: Pick<Endpoint, 'fromReplica'>,
  accountId: string | undefined,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  if (!fromReplica) return work(db)
  if (replica) return replica.read(work)
  return accountId === undefined ? work(db) : homes.read(accountId, work)
}
