import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

/** Random bytes for many identifiers at once, as drawing them is the main cost. */
const random = Buffer.alloc(256 * 16)
let used = random.length
let msecs = 0
let seq = 0

/** Returns a new identifier (UUIDv7), above all earlier ones of this process, so that indexes grow at one end. */
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

/** Returns the time of an identifier, in milliseconds since 1970. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Returns the lowest identifier possible at this time (milliseconds since 1970) or later. */
export function leastIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** Returns the 16 bytes of an identifier, which make a shorter token than its text. */
export const bytesOfId = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

/** Returns the identifier of 16 bytes. */
export const idOfBytes = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Means 'all' in roll-ups, and an id that cannot exist. */
export const NIL = '00000000-0000-0000-0000-000000000000'

/** Returns an external id in a form safe to compare with a uuid column: a malformed one matches nothing. */
export const asUuid = (id: string) => (UUID.test(id) ? id.toLowerCase() : NIL)
