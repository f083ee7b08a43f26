import type { Session } from '#contract/auth.ts'
import { audit, byUser, system } from '../audit.ts'
import { type Database, transaction } from '../database/pool.ts'
import { Refusal } from '../refusal.ts'
import type { Services } from '../services.ts'
import type { Actor } from './actor.ts'
import { isPassword } from './passwords.ts'
import { confirmSession, type Device, startSession } from './sessions.ts'
import { beginAttempt } from './sign-in-attempts.ts'

/**
 * Signs in. Unknown and known e-mails take the same time, and the refusal never says which half is wrong.
 * Refuses: `invalid_credentials`; `rate_limited` after failures.
 */
export async function signIn(
  db: Database,
  services: Services,
  { email, password }: { email: string; password: string },
  device: Device,
): Promise<Session> {
  const attempt = await beginAttempt(services, { email, address: device.address })
  const user = await db.maybe<{ id: string; passwordHash: string | null }>`
    select id, password_hash from users where email = ${email}`
  const isRight = await isPassword(user?.passwordHash ?? null, password)
  const session = await transaction(db, async (tx) => {
    const subject = { type: 'user', id: user?.id ?? null }
    // the password may have been changed while it was compared
    const isStill =
      isRight &&
      (await tx.maybe`select id from users where id = ${user!.id} and password_hash = ${user!.passwordHash} for no key update`)
    if (!isStill) return void (await audit(tx, system, null, 'sign-in.refused', subject))
    await audit(tx, { type: 'user', id: user!.id }, null, 'sign-in', subject)
    return startSession(tx, services, user!.id, device)
  })
  if (!session) throw new Refusal('invalid_credentials', 'Email or password is incorrect.')
  await attempt.succeeded()
  return session
}

/** For 10 minutes this session counts as freshly signed in. Refuses: `invalid_credentials`, `rate_limited`. */
export async function confirmPassword(
  db: Database,
  services: Services,
  actor: Actor,
  password: string,
  address: string,
) {
  await provePassword(db, services, actor, password, address)
  await confirmSession(db, actor.sessionId)
}

/** Checks the signed-in user's own password; a guess counts like one at sign-in. Answers what is stored of it. */
export async function provePassword(
  db: Database,
  services: Services,
  actor: Actor,
  password: string,
  address: string,
): Promise<string> {
  const attempt = await beginAttempt(services, { email: actor.email, address })
  const { passwordHash } = await db.one<{ passwordHash: string | null }>`
    select password_hash from users where id = ${actor.userId}`
  if (!passwordHash || !(await isPassword(passwordHash, password))) {
    await transaction(db, (tx) =>
      audit(tx, byUser(actor), null, 'password.refused', { type: 'user', id: actor.userId }),
    )
    throw new Refusal('invalid_credentials', 'The password is incorrect.')
  }
  await attempt.succeeded()
  return passwordHash
}
