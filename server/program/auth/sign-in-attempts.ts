import { type Origin, toOrigin } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { toNetwork } from '../../platform/http/limits.ts'
import { type Refusal, refusal } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { Device } from './sessions.ts'

/** A claim to be the user with this e-mail, from this address. */
type Attempt = { email: string; address: string }

const HOUR = 3_600_000
const LONGEST_WAIT_S = 60

/** A failure counter: free failures, then the wait in seconds after the last free one and each further one. */
type Counter = { key: string; free: number; waitS(beyond: number): number; untilQuiet: boolean }

/**
 * Counts a try before its password is checked, so that concurrent tries count too; `succeeded` undoes it. After five
 * failures of one e-mail in one network each next try waits 1, 2, 4 … 60 s. After 100 failures an hour of a network, or
 * 20 of an e-mail across networks it never signed in from, one try a minute is checked. Networks known for the user are
 * not affected by failures elsewhere, and no wait exceeds a minute.
 * Refuses: `rate_limited`, with the seconds to wait; a refused try counts nowhere. RATE_LIMIT_FACTOR multiplies the
 * numbers; 0 turns all this off.
 */
export async function beginAttempt(db: Database, { config, secrets }: Install, { email, address }: Attempt) {
  const factor = config.rateLimitFactor
  if (factor === 0) return { undone: async () => {}, succeeded: async () => {} }
  const network = toNetwork(address)
  const times = (count: number) => Math.max(1, Math.ceil(count * factor))
  const minute = () => LONGEST_WAIT_S
  const pair: Counter = {
    key: keyOf(secrets, ['pair', email, network]),
    free: times(5),
    waitS: (beyond) => Math.min(LONGEST_WAIT_S, 2 ** beyond),
    untilQuiet: true,
  }
  const hourly: Counter[] = [
    { key: keyOf(secrets, ['network', network]), free: times(100), waitS: minute, untilQuiet: false },
  ]
  if (!(await knowsNetwork(db, email, network)))
    hourly.push({ key: keyOf(secrets, ['email', email]), free: times(20), waitS: minute, untilQuiet: false })

  const counters = [pair, ...hourly]
  const waitMs = await countTry(db, counters)
  if (waitMs > 0) throw tooMany(waitMs / 1000)
  return {
    /** The try was neither right nor wrong yet. */
    undone: () => undoFailures(db, keysOf(counters)),
    succeeded: async () => {
      await undoFailures(db, keysOf(hourly))
      await db.run`delete from sign_in_attempts where key = ${pair.key}`
    },
  }
}

const keysOf = (counters: Counter[]) => counters.map(({ key }) => key)

type Count = { key: string; failures: number; blockedUntil: string | null; forgetAt: string }

/** Counts a failure in all counters, or in none if one of them has to wait: returns the wait in milliseconds. */
const countTry = (db: Database, counters: Counter[]) =>
  transaction(db, async (tx) => {
    const keys = counters.map(({ key }) => key).sort()
    await tx.run`
      insert into sign_in_attempts (key, failures, forget_at)
      select key, 0, ${tx.now} from unnest(${keys}::text[]) as key order by key on conflict do nothing`
    const rows = await tx.many<Count>`
      select key, failures, blocked_until, forget_at from sign_in_attempts where key = any(${keys}) order by key for update`
    // read the time after locking the rows: time spent waiting for them counts
    const now = tx.database.now.getTime()
    const waitMs = Math.max(0, ...rows.map(({ blockedUntil }) => (blockedUntil ? Date.parse(blockedUntil) - now : 0)))
    if (waitMs > 0) return waitMs
    const known = new Map(rows.map((row) => [row.key, row]))
    const next = counters.map(({ key, free, waitS, untilQuiet }) => {
      const row = known.get(key)
      const running = row !== undefined && Date.parse(row.forgetAt) > now
      const failures = running ? row.failures + 1 : 1
      return {
        key,
        failures,
        blockedUntil: failures >= free ? new Date(now + waitS(failures - free) * 1000) : null,
        forgetAt: running && !untilQuiet ? new Date(row.forgetAt) : new Date(now + HOUR),
      }
    })
    await tx.run`
      update sign_in_attempts a set failures = n.failures, blocked_until = n.blocked_until, forget_at = n.forget_at
      from unnest(${next.map(({ key }) => key)}::text[], ${next.map(({ failures }) => failures)}::integer[],
        ${next.map(({ blockedUntil }) => blockedUntil)}::timestamptz[],
        ${next.map(({ forgetAt }) => forgetAt)}::timestamptz[]) as n (key, failures, blocked_until, forget_at)
      where a.key = n.key`
    return 0
  })

const undoFailures = (db: Queryable, keys: string[]) => db.run`
  update sign_in_attempts set failures = greatest(failures - 1, 0), blocked_until = null where key = any(${keys})`

function tooMany(waitS: number) {
  const seconds = Math.max(1, Math.ceil(waitS))
  return refusal('too_many_attempts', { seconds }, { retryAfter: seconds })
}

/** An action limited to `most` times within `within` milliseconds of the first; RATE_LIMIT_FACTOR multiplies `most`. */
type Allowance = { most: number; within: number }

/** Counts an action: returns whether it is still allowed. */
export const countAttempt = async (tx: Transaction, install: Install, what: string[], allowance: Allowance) =>
  (await waitUntilAllowed(tx, install, what, allowance)) === 0

/** Counts an action: returns the seconds until it is allowed again, 0 while it is. RATE_LIMIT_FACTOR 0 turns this off. */
export async function waitUntilAllowed(
  tx: Transaction,
  { config, secrets }: Install,
  what: string[],
  { most, within }: Allowance,
) {
  const factor = config.rateLimitFactor
  if (factor === 0) return 0
  const { failures, forgetAt } = await tx.one<{ failures: number; forgetAt: string }>`
    insert into sign_in_attempts as a (key, failures, forget_at)
    values (${keyOf(secrets, what)}, 1, ${new Date(tx.now.getTime() + within)})
    on conflict (key) do update set
      failures = case when a.forget_at > ${tx.now} then a.failures + 1 else 1 end,
      forget_at = case when a.forget_at > ${tx.now} then a.forget_at else excluded.forget_at end
    returning failures, forget_at`
  return failures <= Math.ceil(most * factor) ? 0 : (Date.parse(forgetAt) - tx.now.getTime()) / 1000
}

/** Deletes these counters. */
export const clearAttempts = (tx: Transaction, secrets: Secrets, whats: string[][]) => tx.run`
  delete from sign_in_attempts where key = any(${whats.map((what) => keyOf(secrets, what))})`

/** Derived, so that the table reveals no e-mail. */
const keyOf = (secrets: Secrets, what: string[]) => secrets.derive('sign-in-attempts', JSON.stringify(what))

/** Whether this person has signed in from this network before. */
export async function knowsNetwork(db: Queryable, email: string, network: string) {
  const rows = await db.many<{ address: string | null }>`
    select distinct s.address from sessions s join users u on u.id = s.user_id where u.email = ${email}`
  return rows.some(({ address }) => address !== null && toNetwork(address) === network)
}

/** Stored outside the audit log, from which nothing is ever deleted: anyone can fail to sign in. */
export const recordRefusedSignIn = (
  db: Queryable,
  kind: 'sign-in' | 'password' | 'code',
  userId: string | null,
  { network, requestId }: Origin,
) => db.run`
  insert into refused_sign_ins (id, at, kind, user_id, network, request_id)
  values (${newId()}, ${db.now}, ${kind}, ${userId}, ${network}, ${requestId})`

const HOURLY_CODES: Allowance = { most: 10, within: HOUR }

type CodeOf = { what: 'code' | 'new-code'; userId: string; device: Device }

/**
 * Checks a person's code with `accept`, which returns undefined for a wrong one. Returns the refusal instead of
 * throwing it, so that the count is committed: `invalid_credentials` for a wrong code, `rate_limited` beyond ten an
 * hour, over all networks.
 */
export async function verifyCode<T>(
  tx: Transaction,
  install: Install,
  { what, userId, device }: CodeOf,
  accept: () => Promise<T | undefined>,
): Promise<T | Refusal> {
  const counter = [what, userId]
  const waitS = await waitUntilAllowed(tx, install, counter, HOURLY_CODES)
  if (waitS > 0) return tooMany(waitS)
  const accepted = await accept()
  if (accepted === undefined) {
    await recordRefusedSignIn(tx, 'code', userId, toOrigin(device))
    return refusal('code_wrong')
  }
  await clearAttempts(tx, install.secrets, [counter])
  return accepted
}
