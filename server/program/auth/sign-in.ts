import type { Session } from '#contract/auth.ts'
import { type Origin, originOf } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, type Queryable, transaction } from '../../platform/database/pool.ts'
import { recorded } from '../../platform/events/happened.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { Actor } from '../access/actor.ts'
import { isPassword } from './passwords.ts'
import { confirmSession, type Device, startSession } from './sessions.ts'
import { beginAttempt } from './sign-in-attempts.ts'

/**
 * Signs in. Unknown and known e-mails take the same time, and the refusal never reveals which half is wrong.
 * Refuses: `invalid_credentials`; `rate_limited` after failures.
 */
export async function signIn(
  db: Database,
  install: Install,
  { email, password }: { email: string; password: string },
  device: Device,
): Promise<Session> {
  const attempt = await beginAttempt(db, install, { email, address: device.address })
  const user = await db.maybe<{ id: string; passwordHash: string | null }>`
    select id, password_hash from users where email = ${email}`
  const isRight = await isPassword(user?.passwordHash ?? null, password)
  const from = originOf(device)
  const session = await transaction(db, async (tx) => {
    // the password may have been changed while it was compared
    const isStill =
      isRight &&
      (await tx.maybe`select id from users where id = ${user!.id} and password_hash = ${user!.passwordHash} for no key update`)
    if (!isStill) return void (await keepRefused(tx, 'sign-in', user?.id ?? null, from))
    await recorded(tx, { type: 'user', id: user!.id, from }, null, 'sign-in', { id: user!.id })
    return startSession(tx, install.secrets, user!.id, device)
  })
  if (!session) throw refusal('wrong_email_or_password')
  await attempt.succeeded()
  return session
}

/** Marks this session as freshly signed in for 10 minutes. Refuses: `invalid_credentials`, `rate_limited`. */
export async function confirmPassword(db: Database, install: Install, actor: Actor, password: string, device: Device) {
  await provePassword(db, install, actor, password, device)
  await confirmSession(db, actor.sessionId)
}

/** Checks the signed-in user's own password; a wrong one counts like a failed sign-in. Returns the stored hash. */
export async function provePassword(
  db: Database,
  install: Install,
  actor: Actor,
  password: string,
  device: Device,
): Promise<string> {
  const attempt = await beginAttempt(db, install, { email: actor.email, address: device.address })
  const { passwordHash } = await db.one<{ passwordHash: string | null }>`
    select password_hash from users where id = ${actor.userId}`
  if (!passwordHash || !(await isPassword(passwordHash, password))) {
    await keepRefused(db, 'password', actor.userId, originOf(device))
    throw refusal('wrong_password')
  }
  await attempt.succeeded()
  return passwordHash
}

/** Stored outside the audit log, from which nothing is ever deleted: anyone can fail to sign in. */
const keepRefused = (
  db: Queryable,
  kind: 'sign-in' | 'password',
  userId: string | null,
  { network, requestId }: Origin,
) => db.run`
  insert into refused_sign_ins (id, at, kind, user_id, network, request_id)
  values (${newId()}, ${db.now}, ${kind}, ${userId}, ${network}, ${requestId})`
