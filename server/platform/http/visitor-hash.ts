import { hash } from 'node:crypto'
import type { Secrets } from '../database/secrets.ts'
import { toNetwork } from './limits.ts'

/**
 * Returns a hash that recognises a visitor on the same day only, and only with the install's key: 64 bits as
 * PostgreSQL's bigint, of the address with a daily salt (UTC). For IPv6 the subscriber's network counts.
 */
export function visitorHash(secrets: Secrets, address: string, at: Date): bigint {
  // one character per byte: a buffer takes more than twice the time, for each visit
  const letters = hash('sha256', `${saltOf(secrets, at)} ${toNetwork(address)}`, 'binary')
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
