import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Limit as Declared } from '#contract/endpoint.ts'
import { secondsInWords } from '../format-values.ts'
import { refusal } from '../refusal.ts'

/** Calls under one name share their counts. */
export type NamedLimit = { name: string; perMinute: number; by: Declared['by'] | 'connection' | 'everyone' }

export type Limits = {
  /**
   * Counts one call and sets the RateLimit headers; of several limits on one answer the one nearest to its end is
   * shown. `key` identifies the count; for a network, any address of it.
   * Refuses: `rate_limited`, with the seconds to wait.
   */
  check(reply: FastifyReply, limit: NamedLimit, key: string): void
  /** Counts one call; returns whether it exceeds the limit. */
  exceeds(limit: NamedLimit, key: string): boolean
  /** Refuses like `check` if nothing is left, without counting. */
  refuseSpent(reply: FastifyReply, limit: NamedLimit, key: string): void
  /** Whether calls with this key are being counted. */
  counts(limit: NamedLimit, key: string): boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permitted callers. A route without it stops the start. */
    policy?: string | readonly string[]
    /** The limits. A route without them stops the start. */
    limit?: NamedLimit | readonly NamedLimit[]
    /** The handler counts itself, because only it knows the key, or because it does not refuse. */
    countsItself?: boolean
  }
}

/** Limit for addresses that match nothing: guesses, on any route. */
export const UNKNOWN: NamedLimit = { name: 'unknown', perMinute: 60, by: 'network' }

const MINUTE = 60_000
/** Most counts for networks, and as many for keys known to the server; some 200 bytes each. */
const MOST_COUNTS = 100_000

type Options = { now?: () => number; mostCounts?: number }

/**
 * Creates limits per minute, counted in this process. `factor` multiplies each (RATE_LIMIT_FACTOR); 0 turns them off. A
 * caller with many networks can only reset the counts of the least recent networks: counts of the server's own keys
 * (tokens, accounts, connections) are separate.
 */
export function createLimits(factor: number, { now = () => performance.now(), mostCounts }: Options = {}): Limits {
  const networks = createCounts(now, mostCounts)
  const known = createCounts(now, mostCounts)
  const off = factor === 0
  const countsOf = ({ by }: NamedLimit) => (by === 'network' ? networks : known)
  const keyOf = ({ by, name }: NamedLimit, key: string) => `${name}|${by === 'network' ? toNetwork(key) : key}`
  const most = ({ perMinute }: NamedLimit) => Math.max(1, Math.ceil(perMinute * factor))
  const countOf = (limit: NamedLimit, key: string) => countsOf(limit).of(keyOf(limit, key))

  function tell(reply: FastifyReply, limit: NamedLimit, { calls, until }: Count, refused: boolean) {
    const left = Math.max(0, most(limit) - calls)
    const seconds = Math.max(1, Math.ceil((until - now()) / 1000))
    if (refused || left < Number(reply.getHeader('ratelimit-remaining') ?? Number.POSITIVE_INFINITY))
      reply.headers({
        'ratelimit-limit': String(most(limit)),
        'ratelimit-remaining': String(left),
        'ratelimit-reset': String(seconds),
      })
    if (!refused) return
    throw refusal('too_many_calls', { wait: () => secondsInWords(seconds) }, { retryAfter: seconds })
  }

  return {
    check(reply, limit, key) {
      if (off) return
      const count = countOf(limit, key)
      tell(reply, limit, count, ++count.calls > most(limit))
    },
    exceeds: (limit, key) => !off && ++countOf(limit, key).calls > most(limit),
    refuseSpent(reply, limit, key) {
      const count = off ? undefined : countsOf(limit).peek(keyOf(limit, key))
      if (count && count.calls >= most(limit)) tell(reply, limit, count, true)
    },
    counts: (limit, key) => !off && countsOf(limit).peek(keyOf(limit, key)) !== undefined,
  }
}

type Count = { calls: number; until: number }

/**
 * Creates counts that restart a minute after they began. In two generations, so that the older one is deleted at once.
 */
function createCounts(now: () => number, most = MOST_COUNTS) {
  let recent = new Map<string, Count>()
  let older = new Map<string, Count>()
  let turnAt = now() + MINUTE

  return {
    peek(key: string): Count | undefined {
      const count = recent.get(key) ?? older.get(key)
      return count && count.until > now() ? count : undefined
    },
    of(key: string): Count {
      const at = now()
      if (recent.size >= most / 2 || at >= turnAt) {
        older = recent
        recent = new Map()
        turnAt = at + MINUTE
      }
      const known = recent.get(key)
      if (known && known.until > at) return known
      const before = older.get(key)
      const count = before && before.until > at ? before : { calls: 0, until: at + MINUTE }
      recent.set(key, count)
      return count
    },
  }
}

/** Applies each route's declared limit. A route without one stops the start. */
export function limitRoutes(fastify: FastifyInstance, limits: Limits) {
  fastify.addHook('onRoute', (route) => {
    const { limit, countsItself } = route.config ?? {}
    if (!limit) throw new Error(`${route.method} ${route.url} declares no limit`)
    if (countsItself) return
    const declared = [limit].flat() as NamedLimit[]
    const count = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      for (const one of declared) limits.check(reply, one, request.ip)
      done()
    }
    route.onRequest = [...[route.onRequest ?? []].flat(), count]
  })
}

let lastAddress = ''
let lastNetwork = ''

/**
 * Returns the network of an address: an owner of one IPv6 address has 2^64 of them, which count as one. Caches the last
 * address, as calls repeat it. A caller who has disconnected has no address.
 */
export function toNetwork(address: string | undefined): string {
  if (!address) return ''
  if (!address.includes(':')) return address
  if (address !== lastAddress) {
    lastNetwork = readNetwork(address)
    lastAddress = address
  }
  return lastNetwork
}

function readNetwork(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
