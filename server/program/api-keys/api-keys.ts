import type { z } from 'zod'
import type { ListQuery } from '#contract/values.ts'
import { type ApiKey, type ApiKeyWithKey, type NewApiKey, PUSH_DATA } from '#features/api-keys/contract.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { newToken, type Secrets, tokenHash } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordActivity, sendSignal } from '../../platform/events/emit-event.ts'
import { containsFilter, listPage } from '../../platform/http/list.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import { isOwner } from '../access/actor.ts'
import { KEY_PREFIX } from '../access/keys-by-hash.ts'
import { keyCreated } from '../access/signals.ts'
import {
  type ApiKeyRow,
  apiKeyById,
  countKeys,
  deletePredecessors,
  findPushKey,
  insertKey,
  isNameTaken,
  isShown,
  keyColumns,
  lockAccountKeys,
  markDeleted,
  type NamedKeyRow,
  removeReadRights,
  replaceKey,
  touchAccount,
} from './queries.ts'

type WithKey = z.input<typeof ApiKeyWithKey>

/** Most keys per account, including replaced keys that still work. */
export const MOST_KEYS = 20
/** Time that a replaced key still works, in milliseconds. */
const OVERLAP_MS = 24 * 3_600_000

/** Sealing context used by earlier releases, which stored the key in the account's row. */
const place = (accountId: string) => `accounts|api_key_sealed|${accountId}|${accountId}`

/** Opens the key that the account's own page shows to its owner. */
export const openKey = (secrets: Secrets, accountId: string, sealed: Buffer) => secrets.open(sealed, place(accountId))

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
  await insertKey(tx, { ...madeBy(tx, by), id, accountId, name, rights, expiresAt, ...findable(key) })
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
  const made = isFirst(before) ? readable(secrets, accountId, key) : findable(key)
  await deletePredecessors(tx, id, { all: false })
  await replaceKey(tx, id, { ...made, ...madeBy(tx, by) })
  const dayLater = new Date(tx.now.getTime() + OVERLAP_MS).toISOString()
  const expiresAt = before.expiresAt && before.expiresAt < dayLater ? before.expiresAt : dayLater
  const lastFour = lastFourOf(secrets, before)
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
  await markDeleted(tx, id, lastFourOf(secrets, before))
  if (isFirst(before)) await touchAccount(tx, accountId)
  await recordActivity(tx, by, accountId, 'api-key.deleted', { id, changes: diffFields({}, { name, rights }) })
}

/**
 * Removes the rights to read and to manage partners from all keys of the account; keys that send data keep that right.
 */
export async function endReading(tx: Transaction, by: Author, accountId: string) {
  await lockAccountKeys(tx, accountId)
  for (const { id, name, rights, isDeleted } of await removeReadRights(tx, accountId)) {
    const type = isDeleted ? 'api-key.deleted' : 'api-key.narrowed'
    await recordActivity(tx, by, accountId, type, { id, changes: diffFields({}, { name, rights }) })
  }
}

/** Renews the account's first key; the old one and its predecessors stop working at once. */
export async function renewFirstKey(tx: Transaction, secrets: Secrets, by: Author, accountId: string) {
  await holdKeys(tx, by, accountId)
  const made = readable(secrets, accountId, newKey())
  await deletePredecessors(tx, accountId, { all: true })
  const isThere = (await replaceKey(tx, accountId, { ...made, ...madeBy(tx, by) })) > 0
  if (!isThere)
    await insertKey(tx, {
      ...madeBy(tx, by),
      id: accountId,
      accountId,
      name: PUSH_DATA,
      rights: ['push'],
      expiresAt: null,
      ...made,
    })
  await touchAccount(tx, accountId)
  await recordActivity(tx, by, accountId, 'account.api-key-renewed', { id: accountId })
  await notifyKeyCreated(tx, by, accountId, PUSH_DATA)
}

/** Notifies by mail, so that an intruder in their session cannot create a key unnoticed. */
async function notifyKeyCreated(tx: Transaction, by: Author, accountId: string, name: string) {
  if (by.type === 'user') await sendSignal(tx, accountId, keyCreated, { userId: by.id!, name })
}

/**
 * Locks the account's keys and checks the role again: a person who has just lost the account must not create a key that
 * outlives their role.
 */
async function holdKeys(tx: Transaction, by: Author, accountId: string) {
  await lockAccountKeys(tx, accountId)
  if (by.type === 'user' && !(await isOwner(tx, accountId, by.id!))) throw refusal('role_not_allowed')
}

const newKey = () => `${KEY_PREFIX}${newToken()}`

const isFirst = ({ id, accountId }: Pick<ApiKeyRow, 'id' | 'accountId'>) => id === accountId

/** Stored columns of a key shown once, and of one that can be shown again. */
const findable = (key: string) => ({ keyHash: tokenHash(key), keySealed: null, lastFour: key.slice(-4) })
const readable = (secrets: Secrets, accountId: string, key: string) => ({
  keyHash: tokenHash(key),
  keySealed: secrets.seal(key, place(accountId)),
  lastFour: null,
})

/** Stored columns of a key that a person has just made. */
const madeBy = (tx: Transaction, by: Author) => ({
  replacedBy: null,
  lastUsedAt: null,
  createdAt: tx.now.toISOString(),
  createdBy: by.type === 'user' ? by.id : null,
})

const lastFourOf = (secrets: Secrets, { accountId, keySealed, lastFour }: ApiKeyRow) =>
  keySealed ? openKey(secrets, accountId, keySealed).slice(-4) : lastFour!

async function refuseMore(tx: Transaction, accountId: string) {
  if ((await countKeys(tx, accountId)) >= MOST_KEYS) throw refusal('too_many_api_keys', { max: MOST_KEYS })
}

const present = (secrets: Secrets, row: NamedKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  rights: row.rights,
  lastFour: lastFourOf(secrets, row),
  lastUsedAt: row.lastUsedAt,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  replacedBy: row.replacedBy,
  createdBy: row.createdBy === null ? null : { userId: row.createdBy, name: row.createdByName! },
})

export { keysThatWork } from './queries.ts'

/** Whether the account's own systems may push, i.e. a valid key has the right. */
export const hasPushKey = async (db: Queryable, accountId: string) => (await findPushKey(db, accountId)) !== undefined
