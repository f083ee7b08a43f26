import { hash, verify } from '@node-rs/argon2'
import type { Config } from '../../platform/config/config.ts'
import { refusal } from '../../platform/refusal.ts'

const AT_ONCE = 4
const WAITING = 64

let running = 0
const waiting: (() => void)[] = []

/** Runs at most four at a time, because each takes 64 MiB. Refuses: `unavailable` when 64 wait already. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1
  else if (waiting.length >= WAITING) throw refusal('too_many_signing_in', { retryAfter: 2 })
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    // the next in line takes over this slot
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** Argon2id's number in the library. */
const ARGON2ID = 2

/** Hashes a password. Takes about a tenth of a second: never inside a transaction. */
export const hashPassword = (
  { passwordCost: { memoryKib, passes } }: Pick<Config, 'passwordCost'>,
  password: string,
): Promise<string> =>
  inTurn(() => hash(password, { algorithm: ARGON2ID, memoryCost: memoryKib, timeCost: passes, parallelism: 1 }))

/**
 * Whether this is the password. Without one (`null`) it is false, after the time that hashing one takes, so that an
 * unknown e-mail takes as long as a known one.
 */
export async function isPassword(config: Pick<Config, 'passwordCost'>, stored: string | null, password: string) {
  if (stored !== null) return inTurn(() => verify(stored, password))
  await hashPassword(config, password)
  return false
}
