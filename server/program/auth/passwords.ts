import { hash, verify } from '@node-rs/argon2'
import type { Config } from '../../platform/config/config.ts'
import { refusal } from '../../platform/refusal.ts'

/** Hash of a discarded random password at the usual cost: an unknown e-mail takes the same time as a known one. */
const DUMMY = '$argon2id$v=19$m=65536,t=3,p=1$fBY5reJ7yV3E5a2PSqsCMA$dRpZy3PCBIvjNhRZL/dkTZJv2noGd1T/byf4sASs/bs'

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

/** Whether this is the password. Takes as long when there is none (`null`), and is then false. */
export const isPassword = (stored: string | null, password: string): Promise<boolean> =>
  inTurn(async () => (await verify(stored ?? DUMMY, password)) && stored !== null)
