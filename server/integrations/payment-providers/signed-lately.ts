import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_S = 300

/** A provider's form of a signature with its time: the header's parts, and the signed text before the body. */
type Form = { separator: string; time: string; mac: string; signed: (time: string) => string }

/**
 * Whether a header signs these bytes by HMAC-SHA256 in hex, within five minutes. It may contain several signatures
 * during a rotation; any may match.
 */
export function isSignedLately(
  raw: Buffer,
  header: string | string[] | undefined,
  { secret, now }: { secret: string; now: Date },
  form: Form,
): boolean {
  if (typeof header !== 'string' || secret === '') return false
  const parts = header.split(form.separator).map((part) => part.trim().split('=', 2))
  const time = parts.find(([name]) => name === form.time)?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(now.getTime() / 1000 - Number(time)) > TOLERANCE_S) return false
  const expected = createHmac('sha256', secret).update(form.signed(time)).update(raw).digest()
  const given = parts.filter(([name]) => name === form.mac).map(([, value = '']) => Buffer.from(value, 'hex'))
  return given.some((mac) => mac.length === expected.length && timingSafeEqual(mac, expected))
}
