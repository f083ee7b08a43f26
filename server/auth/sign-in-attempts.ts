import type { Queryable } from '../database/pool.ts'
import { networkOf } from '../http/limits.ts'
import { Refusal } from '../refusal.ts'
import type { Services } from '../services.ts'

/** Somebody claims to be the user with this e-mail, from this address. */
type Attempt = { email: string; address: string }

const HOUR = 3_600_000
const FREE_FAILURES = 5
const LONGEST_WAIT_S = 60
const NETWORK_PER_HOUR = 100
const EMAIL_PER_HOUR = 50

type Count = { failures: number; forgetAt: string }

/**
 * Counts a try before its password is checked, so that tries at the same time count too; `succeeded` takes it back.
 * After five failures of one e-mail in one network each next try waits 1, 2, 4 … 60 s. A network fails 100 times an
 * hour at most, an e-mail 50 times from networks it never signed in from. Nothing locks anybody out for good.
 * Refuses: `rate_limited`. RATE_LIMIT_FACTOR multiplies the numbers; 0 turns all this off.
 */
export async function beginAttempt(services: Services, { email, address }: Attempt) {
  const { db, config, secrets } = services
  const factor = config.rateLimitFactor
  if (factor === 0) return { succeeded: async () => {} }
  const times = (count: number) => Math.max(1, Math.ceil(count * factor))
  const network = networkOf(address)
  const key = (...parts: string[]) => secrets.derive('sign-in-attempts', JSON.stringify(parts))
  const pair = key('pair', email, network)
  const hourly = [{ key: key('network', network), most: times(NETWORK_PER_HOUR) }]
  if (!(await knowsNetwork(db, email, network))) hourly.push({ key: key('email', email), most: times(EMAIL_PER_HOUR) })

  if (!(await addPairFailure(db, pair, times(FREE_FAILURES)))) throw tooMany(await waitOf(db, pair))
  for (const { key, most } of hourly) {
    const { failures, forgetAt } = await addFailure(db, key)
    if (failures > most) throw tooMany(Date.parse(forgetAt) - db.now.getTime())
  }
  return {
    async succeeded() {
      await takeBack(
        db,
        hourly.map(({ key }) => key),
      )
      await db.run`delete from sign_in_attempts where key = ${pair}`
    },
  }
}

/**
 * Counts something one e-mail may cause only so often an hour, whoever asks: answers whether it still may.
 * RATE_LIMIT_FACTOR multiplies `most`; 0 turns the limit off.
 */
export async function allowHourly(
  db: Queryable,
  { config, secrets }: Services,
  what: string,
  email: string,
  most: number,
) {
  if (config.rateLimitFactor === 0) return true
  const { failures } = await addFailure(db, secrets.derive('sign-in-attempts', JSON.stringify([what, email])))
  return failures <= Math.ceil(most * config.rateLimitFactor)
}

/** Counts whose time is over are of no use. */
export const forgetOldAttempts = (db: Queryable) => db.run`delete from sign_in_attempts where forget_at < ${db.now}`

function tooMany(ms: number) {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return new Refusal('rate_limited', `Too many attempts. Try again in ${seconds} seconds.`, { retryAfter: seconds })
}

/** One more failure within an hour that begins with the first. */
const addFailure = (db: Queryable, key: string) => db.one<Count>`
  insert into sign_in_attempts as a (key, failures, forget_at)
  values (${key}, 1, ${new Date(db.now.getTime() + HOUR)})
  on conflict (key) do update set
    failures = case when a.forget_at > ${db.now} then a.failures + 1 else 1 end,
    forget_at = case when a.forget_at > ${db.now} then a.forget_at else excluded.forget_at end
  returning failures, forget_at`

/**
 * One more failure of an e-mail in a network, forgotten after a quiet hour; answers 0 while it has to wait. The check
 * and the count are one statement, so that tries at the same time cannot slip past each other.
 */
const addPairFailure = (db: Queryable, key: string, free: number) => db.run`
  insert into sign_in_attempts as a (key, failures, blocked_until, forget_at)
  values (${key}, 1, ${free <= 1 ? new Date(db.now.getTime() + 1000) : null}, ${new Date(db.now.getTime() + HOUR)})
  on conflict (key) do update set
    failures = case when a.forget_at > ${db.now} then a.failures + 1 else 1 end,
    blocked_until = case when a.forget_at > ${db.now} and a.failures + 1 >= ${free}::integer
      then ${db.now}::timestamptz + make_interval(secs => least(${LONGEST_WAIT_S}, 2 ^ least(a.failures + 1 - ${free}::integer, 10))) end,
    forget_at = excluded.forget_at
  where a.blocked_until is null or a.blocked_until <= ${db.now}`

async function waitOf(db: Queryable, key: string) {
  const count = await db.maybe<{ blockedUntil: string | null }>`
    select blocked_until from sign_in_attempts where key = ${key}`
  return count?.blockedUntil ? Date.parse(count.blockedUntil) - db.now.getTime() : 0
}

const takeBack = (db: Queryable, keys: string[]) =>
  db.run`update sign_in_attempts set failures = greatest(failures - 1, 0) where key = any(${keys})`

/** Whether this person has been signed in from there before. */
async function knowsNetwork(db: Queryable, email: string, network: string) {
  const rows = await db.many<{ address: string | null }>`
    select distinct s.address from sessions s join users u on u.id = s.user_id where u.email = ${email}`
  return rows.some(({ address }) => address !== null && networkOf(address) === network)
}
