import { originOf } from '../../../platform/author.ts'
import { type Database, type Transaction, transaction } from '../../../platform/database/pool.ts'
import { recorded, send } from '../../../platform/events/happened.ts'
import { Refusal, refusal } from '../../../platform/refusal.ts'
import type { Install } from '../../../platform/services.ts'
import type { Device } from '../sessions.ts'
import { beginAttempt, forgetAllowed, keepRefused, tooMany, waitFor } from '../sign-in-attempts.ts'
import { recoveryCodeUsed } from '../signals.ts'
import { factorRequired, factorsOf, hasFactor, lockUser } from './factors.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import { acceptTotp } from './totp.ts'

const HOUR = 3_600_000
const CODES_AN_HOUR = 10

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
  const factors = await factorsOf(tx, install.config, userId)
  if (!hasFactor(factors)) return { secondFactor: false, fresh: true }
  if (code === undefined) return factorRequired(factors)
  const counter = ['code', userId]
  const waitS = await waitFor(tx, install, counter, { most: CODES_AN_HOUR, within: HOUR })
  if (waitS > 0) return tooMany(waitS)
  const isTotp = await acceptTotp(tx, install, userId, code)
  const left = isTotp || !recovery ? undefined : await spendRecoveryCode(tx, userId, code)
  if (!isTotp && left === undefined) {
    await keepRefused(tx, 'code', userId, originOf(device))
    return refusal('code_wrong')
  }
  await forgetAllowed(tx, install.secrets, [counter])
  if (left !== undefined) {
    const by = { type: 'user', id: userId, from: originOf(device) } as const
    await recorded(tx, by, null, 'recovery-code.used', { id: userId })
    await send(tx, null, recoveryCodeUsed, { userId, left })
  }
  return { secondFactor: true, fresh: isTotp }
}

type Entering = { id: string; email: string; code: string | undefined; device: Device }

/**
 * Lets a person in by a link once their second factor is proved, in one transaction: a refusal uses nothing up. A wrong
 * code counts like a wrong password.
 * Refuses: `second_factor_required`, `invalid_credentials`, `rate_limited`, and what `enter` refuses.
 */
export async function withCode<T>(
  db: Database,
  install: Install,
  { id, email, code, device }: Entering,
  enter: (tx: Transaction, proved: Proved) => Promise<T>,
): Promise<T> {
  const attempt = code === undefined ? undefined : await beginAttempt(db, install, { email, address: device.address })
  const outcome = await transaction(db, async (tx) => {
    const proved = await proveCode(tx, install, id, code, device)
    return proved instanceof Refusal ? proved : { entered: await enter(tx, proved) }
  })
  if (outcome instanceof Refusal) throw outcome
  await attempt?.succeeded()
  return outcome.entered
}
