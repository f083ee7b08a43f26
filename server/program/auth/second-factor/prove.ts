import { toOrigin } from '../../../platform/author.ts'
import { type Database, type Transaction, transaction } from '../../../platform/database/pool.ts'
import { recordActivity, sendSignal } from '../../../platform/events/emit-event.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Install } from '../../../platform/services.ts'
import type { Device } from '../sessions.ts'
import { beginAttempt, verifyCode } from '../sign-in-attempts.ts'
import { recoveryCodeUsed } from '../signals.ts'
import { lockUser } from '../users.ts'
import { factorRequired, getFactors, hasFactor } from './factors.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import { acceptTotp } from './totp.ts'

/** `fresh`: the app's code, which proves the person as well as the password; a recovery code does not. */
type Proved = { secondFactor: boolean; fresh: boolean }

/**
 * Proves the second factor of a person whose first half was right; one without a second factor needs none. Returns the
 * refusal, so that a wrong code is counted: `second_factor_required` without a code, which uses nothing up;
 * `invalid_credentials` for a wrong one; `rate_limited` beyond ten an hour, over all networks.
 */
export async function proveCode(
  tx: Transaction,
  install: Install,
  userId: string,
  code: string | undefined,
  device: Device,
  { recovery = true } = {},
): Promise<Proved | Refusal> {
  await lockUser(tx, userId)
  const factors = await getFactors(tx, install.config, userId, device.ownHost)
  if (!hasFactor(factors)) return { secondFactor: false, fresh: true }
  if (code === undefined) return factorRequired(factors)
  const taken = await verifyCode(tx, install, { what: 'code', userId, device }, async () => {
    if (await acceptTotp(tx, install, userId, code)) return { left: null }
    const left = recovery ? await spendRecoveryCode(tx, userId, code) : undefined
    return left === undefined ? undefined : { left }
  })
  if (taken instanceof Refusal) return taken
  const { left } = taken
  if (left !== null) {
    const by = { type: 'user', id: userId, from: toOrigin(device) } as const
    await recordActivity(tx, by, null, 'recovery-code.used', { id: userId })
    await sendSignal(tx, null, recoveryCodeUsed, { userId, left })
  }
  return { secondFactor: true, fresh: left === null }
}

/** `before`: called first, in the same transaction. */
type Entering = {
  id: string
  email: string
  code: string | undefined
  device: Device
  before?: (tx: Transaction) => Promise<void>
}

/**
 * Lets a person in by a link once their second factor is proved, in one transaction: a refusal uses nothing up. A wrong
 * code counts like a wrong password.
 * Refuses: `second_factor_required`, `invalid_credentials`, `rate_limited`, and what `enter` refuses.
 */
export async function withCode<T>(
  db: Database,
  install: Install,
  { id, email, code, device, before }: Entering,
  enter: (tx: Transaction, proved: Proved) => Promise<T>,
): Promise<T> {
  const attempt = code === undefined ? undefined : await beginAttempt(db, install, { email, address: device.address })
  const outcome = await transaction(db, async (tx) => {
    await before?.(tx)
    const proved = await proveCode(tx, install, id, code, device)
    return proved instanceof Refusal ? proved : { entered: await enter(tx, proved) }
  })
  if (outcome instanceof Refusal) throw outcome
  await attempt?.succeeded()
  return outcome.entered
}
