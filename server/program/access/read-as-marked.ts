import type { Endpoint } from '#contract/endpoint.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'

/** Reads from the replica, if there is one, when the contract marks the call `fromReplica`; else from the primary. */
export const readAsMarked = <T>(
  { db, replica }: Pick<Services, 'db' | 'replica'>,
  { fromReplica }: Pick<Endpoint, 'fromReplica'>,
  work: (db: Queryable) => Promise<T>,
): Promise<T> => (fromReplica && replica ? replica.read(work) : work(db))
