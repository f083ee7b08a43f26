import { Secret, TOTP } from 'otpauth'
import { type Database, type Transaction, transaction } from '../../../platform/database/pool.ts'
import { notFound, Refusal, refusal } from '../../../platform/refusal.ts'
import type { Install } from '../../../platform/services.ts'
import type { Actor } from '../../access/actor.ts'
import type { Device } from '../sessions.ts'
import { verifyCode } from '../sign-in-attempts.ts'
import { lockUser } from '../users.ts'
import { changeFactors } from './factors.ts'

const SECRET_BYTES = 20
const PERIOD_S = 30
const PENDING_MS = 600_000

/** RFC 6238 with the parameters that every authenticator app knows. */
const totpOf = (secret: Secret, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...names, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_S })

const placeOf = (column: 'totp_sealed' | 'pending_sealed', userId: string) => `totp_and_codes|${column}|${userId}`

/** Returns the time step of this code, one step early or late included; undefined for a wrong one. */
function stepOf(secret: string, typed: string, now: Date): number | undefined {
  const token = typed.replaceAll(/[\s-]/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const timestamp = now.getTime()
  const delta = totpOf(Secret.fromBase32(secret)).validate({ token, timestamp, window: 1 })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_S) + delta
}

/** Accepts a code of the person's app; each step once, so of two calls with one code one wins. */
export async function acceptTotp(
  tx: Transaction,
  { secrets }: Install,
  userId: string,
  code: string,
): Promise<boolean> {
  const row = await tx.maybe<{ totpSealed: Buffer | null }>`
    select totp_sealed from totp_and_codes where user_id = ${userId}`
  if (!row?.totpSealed) return false
  const step = stepOf(secrets.open(row.totpSealed, placeOf('totp_sealed', userId)), code, tx.now)
  if (step === undefined) return false
  const used = await tx.run`
    update totp_and_codes set totp_step = ${step}
    where user_id = ${userId} and (totp_step is null or totp_step < ${step})`
  return used > 0
}

/** Creates a secret that counts once a code of it is sent within ten minutes; a present app stays until then. */
export async function startTotp(tx: Transaction, { config, secrets }: Install, { userId, email }: Actor) {
  const secret = new Secret({ size: SECRET_BYTES })
  const sealed = secrets.seal(secret.base32, placeOf('pending_sealed', userId))
  await tx.run`
    insert into totp_and_codes as t (user_id, pending_sealed, pending_until)
    values (${userId}, ${sealed}, ${new Date(tx.now.getTime() + PENDING_MS)})
    on conflict (user_id) do update set pending_sealed = excluded.pending_sealed, pending_until = excluded.pending_until`
  const uri = totpOf(secret, { issuer: `Tributary (${new URL(config.appUrl).host})`, label: email }).toString()
  return { secret: secret.base32, uri }
}

/**
 * Adds the app by a code of its new secret, or replaces a present one. Returns recovery codes with the first factor.
 * Refuses: `invalid_state` unless started within ten minutes; `invalid_credentials` for a wrong code; `rate_limited`
 * beyond ten wrong ones an hour.
 */
export async function addTotp(db: Database, install: Install, actor: Actor, code: string, device: Device) {
  const outcome = await transaction(db, (tx) => tryToAdd(tx, install, actor, code, device))
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

async function tryToAdd(tx: Transaction, install: Install, actor: Actor, code: string, device: Device) {
  const { userId } = actor
  await lockUser(tx, userId)
  const pending = await tx.maybe<{ pendingSealed: Buffer }>`
    select pending_sealed from totp_and_codes
    where user_id = ${userId} and pending_until > ${tx.now}`
  if (!pending) return refusal('totp_not_started')
  const secret = install.secrets.open(pending.pendingSealed, placeOf('pending_sealed', userId))
  const step = await verifyCode(tx, install, { what: 'new-code', userId, device }, async () =>
    stepOf(secret, code, tx.now),
  )
  if (step instanceof Refusal) return step
  const sealed = install.secrets.seal(secret, placeOf('totp_sealed', userId))
  const recoveryCodes = await changeFactors(
    tx,
    install,
    actor,
    { change: 'added', method: 'totp' },
    () =>
      tx.run`
      update totp_and_codes set totp_sealed = ${sealed}, totp_created_at = ${tx.now}, totp_step = ${step},
        pending_sealed = null, pending_until = null
      where user_id = ${userId}`,
  )
  return { recoveryCodes }
}

/** Refuses: `not_found` without an app; `invalid_state` for the last factor while it is required. */
export async function removeTotp(tx: Transaction, install: Install, actor: Actor) {
  await changeFactors(tx, install, actor, { change: 'removed', method: 'totp' }, async () => {
    const removed = await tx.run`
      update totp_and_codes set totp_sealed = null, totp_created_at = null, totp_step = null
      where user_id = ${actor.userId} and totp_sealed is not null`
    if (removed === 0) throw notFound()
  })
}
