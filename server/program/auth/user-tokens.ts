import type { z } from 'zod'
import type { NewUserToken, UserToken, UserTokenWithToken } from '#contract/auth.ts'
import type { ListQuery } from '#contract/values.ts'
import { type Author, diffFields, userAuthor } from '../../platform/author.ts'
import { asUuid, newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { newToken, tokenHash } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordActivity, sendSignal } from '../../platform/events/emit-event.ts'
import { containsFilter, listPage } from '../../platform/http/list.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import { type Actor, USER_TOKEN_PREFIX } from '../access/actor.ts'
import { keyCreated } from '../access/signals.ts'
import { sessionLimit } from './sessions.ts'
import { lockUser } from './users.ts'

export const MOST_TOKENS = 20

export const listTokens = (db: Queryable, userId: string, query: ListQuery) =>
  listPage<UserToken>(db, query, {
    columns: sql`t.id, t.name, t.last_four, t.last_used_at, t.created_at, t.expires_at`,
    from: sql`user_tokens t`,
    scope: sql`t.user_id = ${userId}`,
    filters: [containsFilter(sql`t.name`, query.search)],
    sorts: { name: { by: sql`lower(t.name)`, type: 'text' } },
  })

/**
 * Creates a token. One that is made in a session of single sign-on expires with the session at the latest, so that a
 * person disabled at the issuer can't keep reading. Refuses: an end in the past, more than twenty tokens, a session
 * that has ended meanwhile.
 */
export async function createToken(
  tx: Transaction,
  actor: Actor,
  { name, expiresAt: asked = null }: NewUserToken,
): Promise<z.input<typeof UserTokenWithToken>> {
  if (asked && asked <= tx.now.toISOString()) throw wrongField('expiresAt', 'expiry_in_past')
  const { userId, sessionId, secondFactor } = actor
  await lockUser(tx, userId)
  // a password change ends sessions and tokens under the same lock: an earlier session cannot create a token after it
  const session = await sessionLimit(tx, sessionId)
  if (!session) throw refusal('session_ended')
  const { tokensUntil } = session
  const expiresAt = tokensUntil && (!asked || asked > tokensUntil) ? tokensUntil : asked
  const { count } = await tx.one<{ count: number }>`
    select count(*) as count from user_tokens where user_id = ${userId}`
  if (count >= MOST_TOKENS) throw refusal('too_many_user_tokens', { max: MOST_TOKENS })
  const token = `${USER_TOKEN_PREFIX}${newToken()}`
  const made = { id: newId(), name, lastFour: token.slice(-4), expiresAt }
  await tx.run`
    insert into user_tokens (id, user_id, name, token_hash, last_four, expires_at, second_factor, created_at)
    values (${made.id}, ${userId}, ${name}, ${tokenHash(token)}, ${made.lastFour}, ${expiresAt}, ${secondFactor},
      ${tx.now})`
  await recordActivity(tx, userAuthor(actor), null, 'user-token.created', {
    id: made.id,
    changes: diffFields({}, { name, expiresAt }),
  })
  await sendSignal(tx, null, keyCreated, { userId, name })
  return { ...made, lastUsedAt: null, createdAt: tx.now.toISOString(), token }
}

/** Refuses: `not_found` for a token that is deleted or another user's. */
export async function deleteToken(tx: Transaction, by: Author, userId: string, id: string) {
  const deleted = await tx.maybe<{ id: string; name: string }>`
    delete from user_tokens where id = ${asUuid(id)} and user_id = ${userId} returning id, name`
  if (!deleted) throw notFound()
  await recordDeleted(tx, by, deleted)
}

/** Deletes all tokens of the user. */
export async function deleteTokens(tx: Transaction, by: Author, userId: string) {
  const deleted = await tx.many<{ id: string; name: string }>`
    delete from user_tokens where user_id = ${userId} returning id, name`
  for (const token of deleted) await recordDeleted(tx, by, token)
}

const recordDeleted = (tx: Transaction, by: Author, { id, name }: { id: string; name: string }) =>
  recordActivity(tx, by, null, 'user-token.deleted', { id, changes: diffFields({}, { name }) })
