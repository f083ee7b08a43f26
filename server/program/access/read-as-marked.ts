import type { Endpoint } from '#contract/endpoint.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'

/** Reads where the call is read: what the contract marks `fromReplica` from the replica, if there is one. */
export const readAsMarked = <T>(
  { db, replica }: Pick<Services, 'db' | 'replica'>,
  { fromReplica }: Pick<Endpoint, 'fromReplica'>,
  work: (db: Queryable) => Promise<T>,
): Promise<T> => (fromReplica && replica ? replica.read(work) : work(db))
