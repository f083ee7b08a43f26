import type { Proof, Session } from '#contract/auth.ts'
import { toOrigin } from '../../platform/author.ts'
import { type Database, transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { Refusal, refusal } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { Actor } from '../access/actor.ts'
import { refuseForOidc } from './oidc.ts'
import { isPassword } from './passwords.ts'
import { factorRequired, getFactors, hasFactor } from './second-factor/factors.ts'
import { provePasskey } from './second-factor/passkeys.ts'
import { proveCode } from './second-factor/prove.ts'
import { confirmSession, type Device, startSession } from './sessions.ts'
import { beginAttempt, recordRefusedSignIn } from './sign-in-attempts.ts'

/**
 * Signs in. Unknown and known e-mails take the same time, and the refusal never reveals which half is wrong.
 * Refuses: `forbidden` where single sign-on is the only way; `invalid_credentials`; `second_factor_required` once the password is right; `rate_limited` after failures.
 */
export async function signIn(
  db: Database,
  install: Install,
  { email, password, code }: { email: string; password: string; code?: string | undefined },
  device: Device,
): Promise<Session> {
  refuseForOidc(install, email)
  const attempt = await beginAttempt(db, install, { email, address: device.address })
  const user = await db.maybe<{ id: string; passwordHash: string | null }>`
    select id, password_hash from users where email = ${email}`
  const isRight = await isPassword(install.config, user?.passwordHash ?? null, password)
  const from = toOrigin(device)
  const outcome = await transaction(db, async (tx) => {
    // the password may have been changed while it was compared
    const isStill =
      isRight &&
      (await tx.maybe`select id from users where id = ${user!.id} and password_hash = ${user!.passwordHash} for no key update`)
    if (!isStill) {
      await recordRefusedSignIn(tx, 'sign-in', user?.id ?? null, from)
      return refusal('wrong_email_or_password')
    }
    const proved = await proveCode(tx, install, user!.id, code, device)
    if (proved instanceof Refusal) return proved
    await recordActivity(tx, { type: 'user', id: user!.id, from }, null, 'sign-in', { id: user!.id })
    return startSession(tx, install.secrets, user!.id, device, { method: 'password', ...proved })
  })
  if (outcome instanceof Refusal) {
    if (outcome.code === 'second_factor_required') await attempt.undone()
    throw outcome
  }
  await attempt.succeeded()
  return outcome
}

/**
 * Marks this session as freshly signed in for 10 minutes: with a passkey or an authenticator code if there is a second
 * factor, otherwise with the password. A recovery code is not enough. Refuses: `invalid_credentials`, `rate_limited`;
 * `second_factor_required` for a password that is not enough.
 */
export async function reauthenticateSession(
  db: Database,
  install: Install,
  actor: Actor,
  proof: Proof,
  device: Device,
) {
  if (proof.passkey) {
    const userId = await provePasskey(db, install, proof.passkey, device.ownHost)
    if (userId !== actor.userId) throw refusal('passkey_wrong')
  } else {
    const factors = await getFactors(db, install.config, actor.userId, device.ownHost)
    if (proof.code === undefined) refuseForOidc(install, actor.email)
    if (proof.code !== undefined) await proveOwnCode(db, install, actor, proof.code, device)
    else if (hasFactor(factors)) throw factorRequired(factors)
    else await provePassword(db, install, actor, proof.password!, device)
  }
  await confirmSession(db, actor.sessionId)
}

async function proveOwnCode(db: Database, install: Install, actor: Actor, code: string, device: Device) {
  const attempt = await beginAttempt(db, install, { email: actor.email, address: device.address })
  const proved = await transaction(db, (tx) => proveCode(tx, install, actor.userId, code, device, { recovery: false }))
  if (proved instanceof Refusal) throw proved
  if (!proved.secondFactor) throw refusal('code_wrong')
  await attempt.succeeded()
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
  if (!passwordHash || !(await isPassword(install.config, passwordHash, password))) {
    await recordRefusedSignIn(db, 'password', actor.userId, toOrigin(device))
    throw refusal('wrong_password')
  }
  await attempt.succeeded()
  return passwordHash
}
