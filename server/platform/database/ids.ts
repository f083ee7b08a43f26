import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

/** Drawn for many identifiers at once: that costs more than everything else about them. */
const random = Buffer.alloc(256 * 16)
let used = random.length
let msecs = 0
let seq = 0

/** A new identifier (UUIDv7), above all this process made before, so that indexes grow at one end. */
export function newId(): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const bytes = random.subarray(used, used + 16)
  used += 16
  const now = Date.now()
  if (now > msecs) {
    msecs = now
    seq = bytes.readUInt32LE() >>> 1
  } else seq++
  return v7({ random: bytes, msecs, seq })
}

/** When an identifier was made, in milliseconds since 1970. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** No identifier that was made at this moment or later, in milliseconds since 1970, is smaller. */
export function leastIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Stands for 'all' in roll-ups, and for an id that cannot exist. */
export const NIL = '00000000-0000-0000-0000-000000000000'

/** An id from outside, safe to compare with a uuid column: one that is malformed names nothing. */
export const asUuid = (id: string) => (UUID.test(id) ? id.toLowerCase() : NIL)
