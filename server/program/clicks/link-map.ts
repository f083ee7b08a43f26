import { createCache, onInvalidation } from '../../platform/database/account-cache.ts'
import { servesSpread } from '../../platform/database/cluster/spread.ts'
import { LINKS_CHANNEL } from '../../platform/database/links-changed.ts'
import type { Database } from '../../platform/database/pool.ts'
import { type Destination, visitorAddresses } from './destination.ts'
import { type BlueprintFacts, blueprintsByKey, type CodeOwner, ownersOfClickedCodes } from './queries.ts'
import { toPath } from './visitor.ts'

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

export function createLinkMap(db: Database): LinkMap {
  const { changes, ready, close } = onInvalidation(db, LINKS_CHANNEL)
  const targets = createCache(changes, async (keys) => {
    const rows = await blueprintsByKey(db, keys)
    return new Map(rows.map((row) => [row.key, { accountId: row.accountId, value: asTarget(db, row) }]))
  })
  const owners = createCache(changes, async (keys) => {
    const wanted = keys.map(readOwnerKey)
    // a cluster looks up the codes of one account at a time
    const parts = (await servesSpread(db)) ? Map.groupBy(wanted, ({ accountId }) => accountId).values() : [wanted]
    const rows = (await Promise.all([...parts].map((codes) => ownersOfClickedCodes(db, codes)))).flat()
    return new Map(rows.map((row) => [ownerKey(row.accountId, row.given), { accountId: row.accountId, value: row }]))
  })
  return {
    target: (key) => targets.get(key),
    owner: (accountId, code) => owners.get(ownerKey(accountId, code), accountId),
    ready,
    close,
  }
}

const ownerKey = (accountId: string, code: string) => `${accountId} ${code}`
const readOwnerKey = (key: string) => {
  // a code may contain spaces
  const end = key.indexOf(' ')
  return { accountId: key.slice(0, end), code: key.slice(end + 1) }
}

function asTarget(db: Database, facts: BlueprintFacts): LinkTarget | undefined {
  const destination = visitorAddresses(facts)
  if (!destination)
    db.log.error({ blueprintId: facts.id }, 'a link has no address on its own domain and is not followed')
  return destination && { ...facts, destination, landingPath: toPath(facts.destinationUrl) }
}
