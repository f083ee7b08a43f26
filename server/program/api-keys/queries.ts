import type { ApiKeyRight } from '#features/api-keys/contract.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'

export type ApiKeyRow = {
  id: string
  accountId: string
  name: string
  rights: ApiKeyRight[]
  keyHash: Buffer
  keySealed: Buffer | null
  lastFour: string | null
  replacedBy: string | null
  lastUsedAt: string | null
  expiresAt: string | null
  createdAt: string
  createdBy: string | null
}

/** Locks the account until the transaction ends, so that its keys are counted and compared one change at a time. */
export const lockAccountKeys = (tx: Transaction, accountId: string) => tx.one`
  select id from accounts where id = ${accountId} for no key update`

/** Every valid key of the install, by account. */
export const keysThatWork = (db: Queryable) => db.many<{ account: string; name: string; lastFour: string | null }>`
  select coalesce(nullif(a.name, ''), a.id::text) as account, k.name, k.last_four
  from api_keys k join accounts a on a.id = k.account_id
  where k.deleted_at is null and k.replaced_by is null and (k.expires_at is null or k.expires_at > ${db.now})
  order by 1, 2`

/** Finds a valid key with the right to push. */
export const findPushKey = (db: Queryable, accountId: string) => db.maybe`
  select from api_keys
  where account_id = ${accountId} and 'push' = any(rights) and deleted_at is null
    and (expires_at is null or expires_at > ${db.now}) limit 1`

export const insertKey = (tx: Transaction, row: ApiKeyRow) => tx.run`
  insert into api_keys (id, account_id, name, rights, key_hash, key_sealed, last_four, replaced_by, last_used_at,
    expires_at, created_at, created_by)
  values (${row.id}, ${row.accountId}, ${row.name}, ${row.rights}::text[], ${row.keyHash}, ${row.keySealed},
    ${row.lastFour}, ${row.replacedBy}, ${row.lastUsedAt}, ${row.expiresAt}, ${row.createdAt},
    ${row.createdBy})`

/** Replaces the key under the same id: new, and not used yet. */
export const replaceKey = (
  tx: Transaction,
  id: string,
  row: Pick<ApiKeyRow, 'keyHash' | 'keySealed' | 'lastFour' | 'createdBy'>,
) => tx.run`
  update api_keys set key_hash = ${row.keyHash}, key_sealed = ${row.keySealed}, last_four = ${row.lastFour},
    created_at = ${tx.now}, created_by = ${row.createdBy}, last_used_at = null, deleted_at = null
  where id = ${id}`

/** Deletes this key's predecessors; all of them, or the expired ones. */
export const deletePredecessors = (tx: Transaction, id: string, { all }: { all: boolean }) => tx.run`
  delete from api_keys where replaced_by = ${id} and (${all} or expires_at <= ${tx.now})`

/**
 * Removes the rights to read and to manage partners from the account's keys and deletes keys without another right. Returns them without their
 * predecessors.
 */
export const removeReadRights = (tx: Transaction, accountId: string) => tx.many<
  Pick<ApiKeyRow, 'id' | 'name' | 'rights'> & { isDeleted: boolean }
>`
  with taken as (
    update api_keys set rights = case when 'push' = any(rights) then '{push}' else rights end,
      deleted_at = case when 'push' = any(rights) then null else ${tx.now}::timestamptz end
    where account_id = ${accountId} and rights && '{read,partners}' and deleted_at is null
    returning id, name, rights, replaced_by, deleted_at
  )
  select id, name, rights, deleted_at is not null as is_deleted from taken where replaced_by is null order by id`

export const touchAccount = (tx: Transaction, id: string) => tx.run`
  update accounts set updated_at = ${tx.now} where id = ${id}`
