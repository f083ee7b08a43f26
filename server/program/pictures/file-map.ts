import { createCache, notifyInvalidation, onInvalidation } from '../../platform/database/account-cache.ts'
import type { Database, Transaction } from '../../platform/database/pool.ts'
import { filesByKey, type Served } from './queries.ts'

const CHANNEL = 'files'
/** Most bytes of pictures in the memory of a process. */
const MOST_BYTES = 32_000_000
/** Bytes of an entry besides its picture. */
const AN_ENTRY = 500

/** Call it in the transaction that changes an account's pictures. */
export const filesChanged = (tx: Transaction, accountId: string) => notifyInvalidation(tx, CHANNEL, accountId)

/** Recently requested pictures, in memory. */
export function createFileMap(db: Database) {
  const { changes, ready, close } = onInvalidation(db, CHANNEL)
  const { get } = createCache<Served>(changes, (keys) => filesByKey(db, keys), {
    most: MOST_BYTES,
    sizeOf: (value) => AN_ENTRY + (value?.bytes.length ?? 0),
  })
  return { find: (key: string) => get(key), ready, close }
}
