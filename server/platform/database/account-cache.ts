import { LRUCache } from 'lru-cache'
import { listenToChannels } from './listen.ts'
import { type Database, isDatabaseAway, type Transaction } from './pool.ts'

/** Longest use of a cached value in milliseconds, in case a notification is lost. */
const BELIEVED_MS = 10_000
const MAX_KNOWN = 100_000
const MAX_UNKNOWN = 10_000

/** Notifies every process, once the transaction has committed, that its memory of this account is stale. */
export async function notifyInvalidation(tx: Transaction, channel: string, accountId: string): Promise<void> {
  await tx.run`select pg_notify(${channel}, ${accountId})`
  tx.afterCommit(() => tx.database.ownNews.emit(channel, accountId))
}

/** Listens for changes of accounts. `ready` resolves once changes by other processes are received. */
export function onInvalidation(db: Database, channel: string) {
  const changes = countChanges()
  const listener = listenToChannels(db, { [channel]: changes.of }, changes.ofAll)
  db.ownNews.on(channel, changes.of)
  return {
    changes,
    ready: listener.ready,
    async close() {
      db.ownNews.off(channel, changes.of)
      await listener.close()
    },
  }
}

/** Counts changes: a value loaded before the last change of its account is stale. */
function countChanges() {
  let now = 0
  let everything = 0
  const lastOf = new Map<string, number>()
  return {
    now: () => now,
    /** Number of the account's last change; without a known account, of the last change of any. */
    last: (accountId: string | undefined) =>
      accountId === undefined ? now : Math.max(everything, lastOf.get(accountId) ?? 0),
    of(accountId: string) {
      now++
      if (lastOf.size >= MAX_KNOWN) {
        lastOf.clear()
        everything = now
      }
      lastOf.set(accountId, now)
    },
    ofAll() {
      now++
      everything = now
      lastOf.clear()
    },
  }
}
type Changes = ReturnType<typeof countChanges>

type Entry<Value> = { value: Value | undefined; accountId: string | undefined; loadedAt: number; believedUntil: number }
type Loading<Value> = { keys: Set<string>; startedAt: number; rows: Promise<Map<string, CachedValue<Value>>> }
type CachedValue<Value> = { accountId: string; value: Value | undefined }

/**
 * Caches the results of `load`, including misses; loads all keys requested in one turn of the event loop together. The
 * sizes of values, each 1 without `sizeOf`, add up to `most` at most.
 */
export function createCache<Value>(
  changes: Changes,
  load: (keys: string[]) => Promise<Map<string, CachedValue<Value>>>,
  { most = MAX_KNOWN, sizeOf = () => 1 }: { most?: number; sizeOf?(value: Value | undefined): number } = {},
) {
  // limited by size, not by `max`, for which the cache would allocate its memory for all entries at once
  const known = new LRUCache<string, Entry<Value>>({ maxSize: most, sizeCalculation: ({ value }) => sizeOf(value) })
  // separate, so that made-up keys and codes evict only each other
  const unknown = new LRUCache<string, Entry<Value>>({ maxSize: MAX_UNKNOWN, sizeCalculation: () => 1 })
  let nextTurn: Loading<Value> | undefined
  const loading = new Map<string, Loading<Value>>()

  const isCurrent = (entry: Entry<Value>) =>
    entry.believedUntil > Date.now() && changes.last(entry.accountId) <= entry.loadedAt

  function ask(key: string): Loading<Value> {
    const present = loading.get(key)
    if (present && changes.now() <= present.startedAt) return present
    nextTurn ??= startTurn()
    nextTurn.keys.add(key)
    loading.set(key, nextTurn)
    return nextTurn
  }

  function startTurn(): Loading<Value> {
    const turn: Loading<Value> = { keys: new Set(), startedAt: Number.POSITIVE_INFINITY, rows: undefined as never }
    turn.rows = new Promise((resolve) => setImmediate(resolve))
      .then(() => {
        nextTurn = undefined
        turn.startedAt = changes.now()
        return load([...turn.keys])
      })
      .finally(() => {
        for (const key of turn.keys) if (loading.get(key) === turn) loading.delete(key)
      })
    return turn
  }

  async function fetch(key: string, accountId: string | undefined, old: Entry<Value> | undefined) {
    try {
      const turn = ask(key)
      const found = (await turn.rows).get(key)
      const entry = {
        value: found?.value,
        accountId: found?.accountId ?? accountId,
        loadedAt: turn.startedAt,
        believedUntil: Date.now() + BELIEVED_MS,
      }
      ;(found ? known : unknown).set(key, entry)
      ;(found ? unknown : known).delete(key)
      return entry.value
    } catch (error) {
      if (old && isDatabaseAway(error)) return old.value
      throw error
    }
  }

  return {
    get(key: string, accountId?: string): Value | undefined | Promise<Value | undefined> {
      const entry = known.get(key) ?? unknown.get(key)
      return entry && isCurrent(entry) ? entry.value : fetch(key, accountId, entry)
    },
  }
}
