import { isIP } from 'node:net'
import type { Session, SessionMethod } from '#contract/auth.ts'
import type { Language } from '#contract/language.ts'
import { system, toOrigin } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { type Secrets, tokenHash } from '../../platform/database/secrets.ts'
import { recordActivity, sendSignal } from '../../platform/events/emit-event.ts'
import type { RequestDomain } from '../../platform/http/request-domain.ts'
import { refusal } from '../../platform/refusal.ts'
import { recordMemberVisit } from './member-visits.ts'
import { sessionReused } from './signals.ts'
import { storeShownLanguage } from './user-language.ts'
import { lockUser } from './users.ts'

/**
 * The device of a session and of a call; `ownHost` if the call was sent to an account's own host, `language` that of its
 * screens.
 */
export type Device = {
  address: string
  userAgent: string | null
  id?: string
  ownHost?: RequestDomain | undefined
  /** The language of the screens, if the caller names one. */
  namedLanguage?: Language | null
}

const MINUTE = 60_000
const DAY = 86_400_000
export const ACCESS = 15 * MINUTE
export const IDLE = 14 * DAY
export const ABSOLUTE = 30 * DAY
/** Milliseconds within which a used refresh token returns the same pair again, in case the answer was lost. */
const RETRY = 10_000
export const MOST_SESSIONS = 20

/**
 * A new session: whether it has a second factor, whether it is as fresh as after a password, and its maximum duration
 * in milliseconds. `within`: the account of the host where it is made.
 */
type Beginning = {
  method: SessionMethod
  secondFactor: boolean
  fresh?: boolean
  lasts?: number
  within?: string | null | undefined
}

type SessionRow = {
  id: string
  userId: string
  generation: number
  expiresAt: string
  endedAt: string | null
}

/**
 * Signs a user in. Beyond 20 sessions the oldest ends. Access lasts 15 minutes; refresh 14 days unused and 30 in all.
 * Counts as freshly signed in unless `fresh` is false: by a mailed link, or by a recovery code. One that is made at an
 * account's own host, or in place of such a one, never holds more than the person's roles at partners of that account.
 * A partner's mails are from now on in the language of these screens, unless their profile says another.
 */
export async function startSession(
  tx: Transaction,
  secrets: Secrets,
  userId: string,
  { address, userAgent, ownHost, namedLanguage = null }: Device,
  { method, secondFactor, fresh = true, lasts = ABSOLUTE, within = ownHost?.accountId ?? null }: Beginning,
): Promise<Session> {
  const id = newId()
  const expiresAt = later(tx, lasts)
  const pair = tokensOf(secrets, id, 0)
  await lockUser(tx, userId)
  await tx.run`
    insert into sessions (id, user_id, access_hash, access_expires_at, confirmed_at, method, second_factor, account_id, user_agent,
      address, created_at, last_used_at, expires_at)
    values (${id}, ${userId}, ${tokenHash(pair.accessToken)}, ${later(tx, ACCESS)},
      ${fresh ? tx.now : null}, ${method}, ${secondFactor}, ${within}, ${userAgent?.slice(0, 500) ?? null}, ${validAddressOrNull(address)}, ${tx.now}, ${tx.now},
      ${expiresAt})`
  await insertRefreshToken(tx, id, 0, pair.refreshToken, earlier(later(tx, IDLE), expiresAt.getTime()))
  await tx.run`
    update sessions set ended_at = ${tx.now}
    where id in (select id from sessions where user_id = ${userId} and ended_at is null and expires_at > ${tx.now}
      and last_used_at > ${later(tx, -IDLE)} order by created_at desc, id desc offset ${MOST_SESSIONS})`
  await recordMemberVisit(tx, secrets, userId, address)
  await storeShownLanguage(tx, userId, namedLanguage)
  return pair
}

/**
 * Exchanges a refresh token for a new pair. Within 10 s the same token returns the same pair; any later use means that
 * another person has it: the session ends, and its user is notified.
 * Refuses: `unauthenticated` for an unknown token, `token_expired` for one of a session that is over.
 */
export async function refreshSession(
  db: Database,
  secrets: Secrets,
  refreshToken: string,
  device: Device,
): Promise<Session> {
  const outcome = await transaction(db, (tx) => rotate(tx, secrets, refreshToken, device))
  if (outcome === 'unknown') throw refusal('token_not_valid')
  if (outcome === 'over') throw refusal('session_ended')
  return outcome
}

async function rotate(tx: Transaction, secrets: Secrets, refreshToken: string, device: Device) {
  const { address, userAgent } = device
  const token = await tx.maybe<{ sessionId: string; generation: number }>`
    select session_id, generation from refresh_tokens where hash = ${tokenHash(refreshToken)}`
  if (!token) return 'unknown'
  const session = await tx.maybe<SessionRow>`
    select id, user_id, generation, expires_at, ended_at from sessions where id = ${token.sessionId} for update`
  if (!session) return 'unknown'
  // read under the lock: another call may have just used it
  const { usedAt, expiresAt } = await tx.one<{ usedAt: string | null; expiresAt: string }>`
    select used_at, expires_at from refresh_tokens where hash = ${tokenHash(refreshToken)}`
  const now = tx.now.toISOString()
  if (session.endedAt || session.expiresAt <= now) return 'over'
  if (usedAt === null && expiresAt <= now) return 'over'
  if (usedAt !== null) {
    const isRetry = token.generation === session.generation - 1 && tx.now.getTime() - Date.parse(usedAt) <= RETRY
    if (isRetry) return tokensOf(secrets, session.id, session.generation)
    await endForReuse(tx, session, device)
    return 'over'
  }
  const generation = session.generation + 1
  const pair = tokensOf(secrets, session.id, generation)
  const end = Date.parse(session.expiresAt)
  await tx.run`update refresh_tokens set used_at = ${tx.now} where hash = ${tokenHash(refreshToken)}`
  await insertRefreshToken(tx, session.id, generation, pair.refreshToken, earlier(later(tx, IDLE), end))
  await tx.run`
    update sessions set generation = ${generation}, access_hash = ${tokenHash(pair.accessToken)},
      access_expires_at = ${earlier(later(tx, ACCESS), end)}, last_used_at = ${tx.now}, address = ${validAddressOrNull(address)},
      user_agent = coalesce(${userAgent?.slice(0, 500) ?? null}, user_agent)
    where id = ${session.id}`
  await recordMemberVisit(tx, secrets, session.userId, address)
  return pair
}

async function endForReuse(tx: Transaction, session: SessionRow, device: Device) {
  await tx.run`update sessions set ended_at = ${tx.now} where id = ${session.id}`
  const by = { ...system, from: toOrigin(device) }
  await recordActivity(tx, by, null, 'session.ended-for-reuse', { id: session.id })
  await sendSignal(tx, null, sessionReused, { sessionId: session.id, userId: session.userId })
}

/** Ends the session of this refresh token, also of a used one; does nothing if there is none. */
export const signOut = (tx: Transaction, refreshToken: string) => tx.run`
  update sessions set ended_at = ${tx.now}
  where ended_at is null
    and id = (select session_id from refresh_tokens where hash = ${tokenHash(refreshToken)})`

/** Ends the user's sessions; all, or all but one. */
export const endSessions = (tx: Transaction, userId: string, except: string | null = null) => tx.run`
  update sessions set ended_at = ${tx.now}
  where user_id = ${userId} and ended_at is null and id is distinct from ${except}::uuid`

/**
 * After a restore, ends and deletes all sessions, tokens, resets and recovery codes, since ones that were ended, deleted,
 * used or revoked after the backup would work again. Users can have invitations sent again.
 */
export async function endWhatWasRestored(tx: Transaction) {
  await tx.run`update sessions set ended_at = ${tx.now} where ended_at is null`
  await tx.run`delete from user_tokens`
  await tx.run`delete from password_resets where used_at is null`
  await tx.run`delete from sign_in_challenges`
  await tx.run`update totp_and_codes set recovery_codes = '{}', pending_sealed = null, pending_until = null`
  await tx.run`
    update invitations set expires_at = least(expires_at, ${tx.now}::timestamptz), updated_at = ${tx.now}
    where status not in ('accepted', 'revoked')`
}

export const isAlive = async (db: Queryable, id: string) =>
  Boolean(await db.maybe`select id from sessions where id = ${id} and ended_at is null`)

/**
 * Returns until when access tokens made in this session may work: null without such a limit; undefined for a session
 * that has ended.
 */
export const sessionLimit = (db: Queryable, id: string) => db.maybe<{ tokensUntil: string | null }>`
  select case when method = 'oidc' then expires_at end as tokens_until
  from sessions where id = ${id} and ended_at is null and expires_at > ${db.now}`

/** Records that the password was just proved in this session. */
export const confirmSession = (db: Queryable, id: string) =>
  db.run`update sessions set confirmed_at = ${db.now} where id = ${id}`

/** Earliest last use of a session that is still alive. */
export const aliveSince = (db: Queryable) => new Date(db.now.getTime() - IDLE)

/** Derived, not random, so that a lost answer can be repeated; unpredictable without the install's key. */
const tokensOf = (secrets: Secrets, sessionId: string, generation: number): Session => ({
  accessToken: secrets.derive('access-token', `${sessionId}.${generation}`),
  refreshToken: secrets.derive('refresh-token', `${sessionId}.${generation}`),
})

const insertRefreshToken = (tx: Transaction, sessionId: string, generation: number, token: string, expiresAt: Date) =>
  tx.run`
    insert into refresh_tokens (hash, session_id, generation, expires_at)
    values (${tokenHash(token)}, ${sessionId}, ${generation}, ${expiresAt})`

/** A proxy may report anything: only valid addresses are stored. */
const validAddressOrNull = (address: string) => (isIP(address) > 0 ? address : null)

const later = (db: Queryable, ms: number) => new Date(db.now.getTime() + ms)
const earlier = (a: Date, b: number) => new Date(Math.min(a.getTime(), b))
