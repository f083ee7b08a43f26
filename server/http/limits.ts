import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import ipaddr from 'ipaddr.js'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../refusal.ts'

/** What is counted: `name` says which limit (a few, from the code), `key` whose count it is. */
export type Limit = { name: string; key: string; perMinute: number }

export type Limits = {
  /**
   * Counts one call and tells the caller where it stands in the RateLimit headers; of several limits on one answer
   * the one nearest to its end is shown. Refuses: `rate_limited`, with the seconds to wait.
   */
  check(reply: FastifyReply, limit: Limit): Promise<void>
}

/** So many callers are counted each by itself within a minute; the rest share so many counts. */
const MAX_CALLERS = 100_000
const SHARED_COUNTS = 1024

/**
 * Limits per minute, kept in this process. `factor` multiplies each (RATE_LIMIT_FACTOR); 0 turns them off.
 * Memory stays bounded while addresses are made up: newcomers beyond `maxCallers` share counts until the minute ends.
 */
export function createLimits(factor: number, maxCallers = MAX_CALLERS): Limits {
  if (factor === 0) return { check: async () => {} }
  const counters = new Map<string, RateLimiterMemory>()
  const callers = new Set<string>()
  let forgetAt = 0

  const counter = (name: string, points: number) => {
    const id = `${name}|${points}`
    let known = counters.get(id)
    if (!known) {
      known = new RateLimiterMemory({ keyPrefix: '', points, duration: 60 })
      counters.set(id, known)
    }
    return known
  }
  const keyOf = (name: string, key: string) => {
    const now = Date.now()
    if (now >= forgetAt) {
      callers.clear()
      forgetAt = now + 60_000
    }
    const short = createHash('sha1')
      .update(`${name}|${networkOf(key)}`)
      .digest()
    const caller = short.toString('latin1')
    if (!callers.has(caller)) {
      if (callers.size >= maxCallers) return `shared ${short.readUInt32LE() % SHARED_COUNTS}`
      callers.add(caller)
    }
    return caller
  }

  return {
    async check(reply, { name, key, perMinute }) {
      const points = Math.max(1, Math.ceil(perMinute * factor))
      const outcome = await counter(name, points)
        .consume(keyOf(name, key))
        .catch((exceeded: unknown) => {
          if (exceeded instanceof RateLimiterRes) return exceeded
          throw exceeded
        })
      const left = Math.max(0, outcome.remainingPoints)
      const seconds = Math.max(1, Math.ceil(outcome.msBeforeNext / 1000))
      const refused = outcome.consumedPoints > points
      if (refused || left < Number(reply.getHeader('ratelimit-remaining') ?? Number.POSITIVE_INFINITY))
        reply.headers({
          'ratelimit-limit': String(points),
          'ratelimit-remaining': String(left),
          'ratelimit-reset': String(seconds),
        })
      if (refused)
        throw new Refusal('rate_limited', `Too many calls. Please try again in ${seconds} s.`, { retryAfter: seconds })
    },
  }
}

/** Who holds one IPv6 address holds 2^64 of them: they count as one. Anything else passes as it is. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
