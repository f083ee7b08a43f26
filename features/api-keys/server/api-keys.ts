import type { z } from 'zod'
import type { ListQuery } from '#contract/values.ts'
import { type Author, diffFields } from '#server/platform/author.ts'
import { newId } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import type { Secrets } from '#server/platform/database/secrets.ts'
import { sql } from '#server/platform/database/sql.ts'
import { recordActivity } from '#server/platform/events/emit-event.ts'
import { containsFilter, listPage } from '#server/platform/http/list.ts'
import { notFound, refusal, wrongField } from '#server/platform/refusal.ts'
import {
  deletePredecessors,
  getLastFour,
  hashedKey,
  holdKeys,
  insertKey,
  isFirst,
  madeBy,
  newKey,
  notifyKeyCreated,
  replaceKey,
  sealedKey,
  touchAccount,
} from '#server/program/api-keys/api-keys.ts'
import { type ApiKey, type ApiKeyWithKey, MOST_KEYS, type NewApiKey, PUSH_DATA } from '../contract.ts'
import { apiKeyById, countKeys, isNameTaken, isShown, keyColumns, markDeleted, type NamedKeyRow } from './queries.ts'

type WithKey = z.input<typeof ApiKeyWithKey>

/** Time that a replaced key still works, in milliseconds. */
const OVERLAP_MS = 24 * 3_600_000

export async function listKeys(db: Queryable, secrets: Secrets, accountId: string, query: ListQuery) {
  const found = await listPage<NamedKeyRow>(db, query, {
    columns: keyColumns,
    from: sql`api_keys t`,
    scope: sql`t.account_id = ${accountId} and ${isShown(db.now)}`,
    filters: [containsFilter(sql`t.name`, query.search)],
    sorts: { name: { by: sql`lower(t.name)`, type: 'text' } },
  })
  return { ...found, items: found.items.map((row) => present(secrets, row)) }
}

/** Creates a key. Refuses: a name that another key has, an end in the past, more than twenty keys. */
export async function createKey(
  tx: Transaction,
  secrets: Secrets,
  by: Author,
  accountId: string,
  { name, rights, expiresAt = null }: NewApiKey,
): Promise<WithKey> {
  if (expiresAt && expiresAt <= tx.now.toISOString()) throw wrongField('expiresAt', 'expiry_in_past')
  await holdKeys(tx, by, accountId)
  if (name.toLowerCase() === PUSH_DATA.toLowerCase() || (await isNameTaken(tx, accountId, name)))
    throw wrongField('name', 'api_key_name_taken')
  await refuseMore(tx, accountId)
  const key = newKey()
  const id = newId()
  await insertKey(tx, { ...madeBy(tx, by), id, accountId, name, rights, expiresAt, ...hashedKey(key) })
  await recordActivity(tx, by, accountId, 'api-key.created', {
    id,
    changes: diffFields({}, { name, rights, expiresAt }),
  })
  await notifyKeyCreated(tx, by, accountId, name)
  return { ...present(secrets, (await apiKeyById(tx, accountId, id))!), key }
}

/**
 * Creates a key with the name, rights and expiry of this one, which remains valid for another day. The new key takes over the id,
 * so past and future calls have the same actor.
 * Refuses: a key that has expired or was replaced, more than twenty keys.
 */
export async function rotateKey(
  tx: Transaction,
  secrets: Secrets,
  by: Author,
  accountId: string,
  keyId: string,
): Promise<WithKey> {
  await holdKeys(tx, by, accountId)
  const before = await apiKeyById(tx, accountId, keyId)
  if (!before) throw notFound()
  if (before.replacedBy) throw refusal('api_key_replaced')
  if (before.expiresAt && before.expiresAt <= tx.now.toISOString()) throw refusal('api_key_expired')
  await refuseMore(tx, accountId)
  const { id } = before
  const key = newKey()
  const made = isFirst(before) ? sealedKey(secrets, accountId, key) : hashedKey(key)
  await deletePredecessors(tx, id, { all: false })
  await replaceKey(tx, id, { ...made, ...madeBy(tx, by) })
  const dayLater = new Date(tx.now.getTime() + OVERLAP_MS).toISOString()
  const expiresAt = before.expiresAt && before.expiresAt < dayLater ? before.expiresAt : dayLater
  const lastFour = getLastFour(secrets, before)
  await insertKey(tx, { ...before, id: newId(), keySealed: null, lastFour, replacedBy: id, expiresAt })
  if (isFirst(before)) await touchAccount(tx, accountId)
  await recordActivity(tx, by, accountId, 'api-key.rotated', { id, changes: diffFields({}, { name: before.name }) })
  await notifyKeyCreated(tx, by, accountId, before.name)
  return { ...present(secrets, (await apiKeyById(tx, accountId, id))!), key }
}

/** Deletes the key and its predecessors; they stop working at once. */
export async function deleteKey(tx: Transaction, secrets: Secrets, by: Author, accountId: string, keyId: string) {
  await holdKeys(tx, by, accountId)
  const before = await apiKeyById(tx, accountId, keyId)
  if (!before) throw notFound()
  const { id, name, rights } = before
  await deletePredecessors(tx, id, { all: true })
  await markDeleted(tx, id, getLastFour(secrets, before))
  if (isFirst(before)) await touchAccount(tx, accountId)
  await recordActivity(tx, by, accountId, 'api-key.deleted', { id, changes: diffFields({}, { name, rights }) })
}

async function refuseMore(tx: Transaction, accountId: string) {
  if ((await countKeys(tx, accountId)) >= MOST_KEYS) throw refusal('too_many_api_keys', { max: MOST_KEYS })
}

const present = (secrets: Secrets, row: NamedKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  rights: row.rights,
  lastFour: getLastFour(secrets, row),
  lastUsedAt: row.lastUsedAt,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  replacedBy: row.replacedBy,
  createdBy: row.createdBy === null ? null : { userId: row.createdBy, name: row.createdByName! },
})
