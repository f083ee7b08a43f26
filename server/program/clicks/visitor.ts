import { hash } from 'node:crypto'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import type { Secrets } from '../../platform/database/secrets.ts'
import { networkOf } from '../../platform/http/limits.ts'

/**
 * Returns a hash that recognises a visitor on the same day only, and only with the install's key: 64 bits as
 * PostgreSQL's bigint, of the address with a daily salt (UTC). For IPv6 the subscriber's network counts.
 */
export function visitorHash(secrets: Secrets, address: string, at: Date): bigint {
  // one character per byte: a buffer takes more than twice the time, for each visit
  const letters = hash('sha256', `${saltOf(secrets, at)} ${networkOf(address)}`, 'binary')
  for (let index = 0; index < 8; index++) bits.setUint8(index, letters.charCodeAt(index))
  return bits.getBigInt64(0)
}

const bits = new DataView(new ArrayBuffer(8))

// only a cache: the salt follows from the key and the day, and is released with its key
const salts = new WeakMap<Secrets, { day: number; salt: string }>()
const DAY_MS = 86_400_000

function saltOf(secrets: Secrets, at: Date) {
  const day = Math.floor(at.getTime() / DAY_MS)
  let known = salts.get(secrets)
  if (known?.day !== day) {
    known = { day, salt: secrets.derive('click-visitor', at.toISOString().slice(0, 10)) }
    salts.set(secrets, known)
  }
  return known.salt
}

export type UserAgent = { isBot: boolean; class: 'bot' | 'mobile' | 'tablet' | 'desktop' }

const recent = new LRUCache<string, UserAgent>({ max: 5000 })

/** Classifies the visiting program. One without a user agent is a bot. */
export function readUserAgent(text: string | undefined): UserAgent {
  const agent = (text ?? '').trim().slice(0, 500)
  let known = recent.get(agent)
  if (!known) {
    const isBot = agent === '' || isbot(agent)
    known = { isBot, class: isBot ? 'bot' : deviceOf(agent) }
    recent.set(agent, known)
  }
  return known
}

function deviceOf(agent: string) {
  if (/ipad|tablet|kindle|silk|android(?!.*mobile)/i.test(agent)) return 'tablet'
  return /mobi|iphone|ipod|android/i.test(agent) ? 'mobile' : 'desktop'
}

/** Returns the host of an address or of a bare host, at most 253 characters; null if it is neither. */
export function hostIn(address: string | null | undefined): string | null {
  if (!address) return null
  const url = /^https?:\/\//i.test(address) ? URL.parse(address) : URL.parse(`http://${address}`)
  return url?.hostname ? url.hostname.slice(0, 253) : null
}

/** Returns the path of an address, at most 500 characters; never its query. */
export function pathOf(address: string | null | undefined): string | null {
  return (address && URL.parse(address)?.pathname.slice(0, 500)) || null
}
