import { LRUCache } from 'lru-cache'
import { servesSpread } from '../../platform/database/cluster/spread.ts'
import { LINKS_CHANNEL } from '../../platform/database/links-changed.ts'
import { listen } from '../../platform/database/listen.ts'
import { type Database, isDatabaseAway } from '../../platform/database/pool.ts'
import { type Destination, visitorAddresses } from './destination.ts'
import { type BlueprintFacts, blueprintsByKey, type CodeOwner, ownersOfClickedCodes } from './queries.ts'
import { pathOf } from './visitor.ts'

/** The blueprint fields that the redirect needs. */
export type LinkTarget = Omit<BlueprintFacts, 'destinationUrl' | 'utm' | 'passthroughQuery'> & {
  destination: Destination
  landingPath: string | null
}

/**
 * The owners and destinations of links, in memory, so that no click reads the database for them. Undefined if unknown.
 * While the database is unavailable, the last known values are used.
 */
export type LinkMap = {
  /** Finds a target by the blueprint's key in lower case. */
  target(key: string): LinkTarget | undefined | Promise<LinkTarget | undefined>
  /** Finds an owner by a current or former code in lower case. */
  owner(accountId: string, code: string): CodeOwner | undefined | Promise<CodeOwner | undefined>
  /** Resolves once changes by other processes are received. */
  ready: Promise<void>
  close(): Promise<void>
}

/** Longest use of a cached value in milliseconds, in case a notification is lost. */
const BELIEVED_MS = 10_000
const MAX_KNOWN = 100_000
const MAX_UNKNOWN = 10_000

export function createLinkMap(db: Database): LinkMap {
  const changes = countChanges()
  const targets = createMemory(changes, async (keys) => {
    const rows = await blueprintsByKey(db, keys)
    return new Map(rows.map((row) => [row.key, { accountId: row.accountId, value: asTarget(db, row) }]))
  })
  const owners = createMemory(changes, async (keys) => {
    const wanted = keys.map(readOwnerKey)
    // a cluster looks up the codes of one account at a time
    const parts = (await servesSpread(db)) ? Map.groupBy(wanted, ({ accountId }) => accountId).values() : [wanted]
    const rows = (await Promise.all([...parts].map((codes) => ownersOfClickedCodes(db, codes)))).flat()
    return new Map(rows.map((row) => [ownerKey(row.accountId, row.given), { accountId: row.accountId, value: row }]))
  })
  const listener = listen(db, { [LINKS_CHANNEL]: changes.of }, changes.ofAll)
  db.ownNews.on(LINKS_CHANNEL, changes.of)
  return {
    target: (key) => targets.get(key),
    owner: (accountId, code) => owners.get(ownerKey(accountId, code), accountId),
    ready: listener.ready,
    async close() {
      db.ownNews.off(LINKS_CHANNEL, changes.of)
      await listener.close()
    },
  }
}

const ownerKey = (accountId: string, code: string) => `${accountId} ${code}`
const readOwnerKey = (key: string) => {
  const [accountId = '', code = ''] = key.split(' ')
  return { accountId, code }
}

function asTarget(db: Database, facts: BlueprintFacts): LinkTarget | undefined {
  const destination = visitorAddresses(facts)
  if (!destination) db.log.error({ blueprintId: facts.id }, 'a link points outside its own domain and is not followed')
  return destination && { ...facts, destination, landingPath: pathOf(facts.destinationUrl) }
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
type Loading<Value> = { keys: Set<string>; startedAt: number; rows: Promise<Map<string, Found<Value>>> }
type Found<Value> = { accountId: string; value: Value | undefined }

/** Caches the results of `load`, including misses; loads all keys requested in one turn of the event loop together. */
function createMemory<Value>(changes: Changes, load: (keys: string[]) => Promise<Map<string, Found<Value>>>) {
  // limited by size, each entry counting 1: with `max` the cache would allocate its memory for all entries at once
  const known = new LRUCache<string, Entry<Value>>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 })
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
