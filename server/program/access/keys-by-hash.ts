import type { ApiKeyRight } from '#features/api-keys/contract.ts'
import { createBufferedWriter } from '../../platform/buffered-writer.ts'
import type { Database } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'
import { type AccountFacts, accountFacts } from './account-facts.ts'

/** Prefix that distinguishes a key from a session's token before any look-up. */
export const KEY_PREFIX = 'tpk_'

/** A valid key and the account whose own systems use it. */
export type KnownKey = {
  /** The actor recorded for calls made with this key; a replaced key acts as its successor. */
  id: string
  /** Id of its own row. */
  rowId: string
  rights: ApiKeyRight[]
  lastUsedAt: string | null
  account: AccountFacts
}

/** Returns the valid keys among these hashes (base64); deleted and expired keys are left out. */
export async function keysByHash(db: Database, hashes: string[]): Promise<Map<string, KnownKey>> {
  type Row = AccountFacts & { keyHash: string; keyId: string; keyRowId: string; rights: ApiKeyRight[] } & {
    lastUsedAt: string | null
  }
  const rows = await db.many<Row>`
    select ${accountFacts}, wanted.hash as key_hash, coalesce(k.replaced_by, k.id) as key_id, k.id as key_row_id, k.rights,
      k.last_used_at
    from unnest(${hashes}::text[]) as wanted (hash)
      -- each by its index, which a plan for any number of them would not do
      cross join lateral (
        select * from api_keys
        where key_hash = decode(wanted.hash, 'base64') and deleted_at is null
          and (expires_at is null or expires_at > ${db.now}) offset 0
      ) k
      join accounts a on a.id = k.account_id`
  return new Map(
    rows.map(({ keyHash, keyId, keyRowId, rights, lastUsedAt, ...account }) => [
      keyHash,
      { id: keyId, rowId: keyRowId, rights, lastUsedAt, account },
    ]),
  )
}

const MINUTE = 60_000
const EVERY_MS = 1000

export type KeyUse = {
  note(key: KnownKey): void
  /** Writes the uses collected so far. */
  close(): Promise<void>
}

/**
 * Stores when a key was last used, to the minute, without making a call wait. A killed process loses only the last
 * second.
 */
export function createKeyUse({ db, log }: Pick<Services, 'db' | 'log'>): KeyUse {
  const used = new Set<string>()

  async function write() {
    const ids = [...used]
    used.clear()
    if (ids.length === 0) return
    try {
      await db.run`
        update api_keys set last_used_at = ${db.now}
        where id in (
          select id from api_keys
          where id = any(${ids}::uuid[]) and (last_used_at is null or last_used_at <= ${new Date(db.now.getTime() - MINUTE)})
          order by id for no key update skip locked)`
    } catch (error) {
      log.warn({ err: error, keys: ids.length }, 'when keys were last used could not be written')
    }
  }

  const { soon, close } = createBufferedWriter(write, EVERY_MS)
  return {
    note({ rowId, lastUsedAt }) {
      if (lastUsedAt !== null && db.now.getTime() - Date.parse(lastUsedAt) < MINUTE) return
      used.add(rowId)
      soon()
    },
    close,
  }
}
