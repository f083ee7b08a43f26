import { PUSH_DATA } from '#features/api-keys/contract.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { newToken, type Secrets, tokenHash } from '../../platform/database/secrets.ts'
import { recordActivity, sendSignal } from '../../platform/events/emit-event.ts'
import { refusal } from '../../platform/refusal.ts'
import { isOwner } from '../access/actor.ts'
import { KEY_PREFIX } from '../access/keys-by-hash.ts'
import { keyCreated } from '../access/signals.ts'
import {
  type ApiKeyRow,
  deletePredecessors,
  findPushKey,
  insertKey,
  lockAccountKeys,
  removeReadRights,
  replaceKey,
  touchAccount,
} from './queries.ts'

/** Sealing context used by earlier releases, which stored the key in the account's row. */
const place = (accountId: string) => `accounts|api_key_sealed|${accountId}|${accountId}`

/** Opens the key that the account's own page shows to its owner. */
export const openKey = (secrets: Secrets, accountId: string, sealed: Buffer) => secrets.open(sealed, place(accountId))

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
  const made = sealedKey(secrets, accountId, newKey())
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
export async function notifyKeyCreated(tx: Transaction, by: Author, accountId: string, name: string) {
  if (by.type === 'user') await sendSignal(tx, accountId, keyCreated, { userId: by.id!, name })
}

/**
 * Locks the account's keys and checks the role again: a person who has just lost the account must not create a key that
 * outlives their role.
 */
export async function holdKeys(tx: Transaction, by: Author, accountId: string) {
  await lockAccountKeys(tx, accountId)
  if (by.type === 'user' && !(await isOwner(tx, accountId, by.id!))) throw refusal('role_not_allowed')
}

export const newKey = () => `${KEY_PREFIX}${newToken()}`

export const isFirst = ({ id, accountId }: Pick<ApiKeyRow, 'id' | 'accountId'>) => id === accountId

/** Stored columns of a key shown once, and of one that can be shown again. */
export const hashedKey = (key: string) => ({ keyHash: tokenHash(key), keySealed: null, lastFour: key.slice(-4) })
export const sealedKey = (secrets: Secrets, accountId: string, key: string) => ({
  keyHash: tokenHash(key),
  keySealed: secrets.seal(key, place(accountId)),
  lastFour: null,
})

/** Stored columns of a key that a person has just made. */
export const madeBy = (tx: Transaction, by: Author) => ({
  replacedBy: null,
  lastUsedAt: null,
  createdAt: tx.now.toISOString(),
  createdBy: by.type === 'user' ? by.id : null,
})

export const getLastFour = (secrets: Secrets, { accountId, keySealed, lastFour }: ApiKeyRow) =>
  keySealed ? openKey(secrets, accountId, keySealed).slice(-4) : lastFour!

export { deletePredecessors, insertKey, keysThatWork, replaceKey, touchAccount } from './queries.ts'
export type { ApiKeyRow }

/** Whether the account's own systems may push, i.e. a valid key has the right. */
export const hasPushKey = async (db: Queryable, accountId: string) => (await findPushKey(db, accountId)) !== undefined
