import { asUuid } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import type { ApiKeyRow } from '#server/program/api-keys/api-keys.ts'

/** A key with the name of the person who created or last rotated it. */
export type NamedKeyRow = ApiKeyRow & { createdByName: string | null }

export const keyColumns = sql`t.id, t.account_id, t.name, t.rights, t.key_hash, t.key_sealed, t.last_four, t.replaced_by,
  t.last_used_at, t.expires_at, t.created_at, t.created_by, (
    select coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) from users u
    where u.id = t.created_by) as created_by_name`

/** An expired key remains listed, unless another replaced it. */
export const isShown = (now: Date) => sql`t.deleted_at is null and (t.replaced_by is null or t.expires_at > ${now})`

export const apiKeyById = (db: Queryable, accountId: string, id: string) => db.maybe<NamedKeyRow>`
  select ${keyColumns} from api_keys t
  where t.account_id = ${accountId} and t.id = ${asUuid(id)} and ${isShown(db.now)}`

export const countKeys = async (db: Queryable, accountId: string) =>
  (
    await db.one<{ count: number }>`
      select count(*) as count from api_keys t where t.account_id = ${accountId} and ${isShown(db.now)}`
  ).count

/** Whether a valid key has this name; replaced predecessors do not count. */
export const isNameTaken = async (db: Queryable, accountId: string, name: string) =>
  (
    await db.one<{ taken: boolean }>`
      select exists (
        select from api_keys
        where account_id = ${accountId} and lower(name) = lower(${name}) and deleted_at is null and replaced_by is null
          and (expires_at is null or expires_at > ${db.now})) as taken`
  ).taken

/** Marks the key as deleted and erases its sealed text, so that it cannot be shown again either. */
export const markDeleted = (tx: Transaction, id: string, lastFour: string) => tx.run`
  update api_keys set deleted_at = ${tx.now}, key_sealed = null, last_four = ${lastFour} where id = ${id}`
