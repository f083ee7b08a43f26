import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_S = 300

/**
 * Whether `Stripe-Signature` (`t=…,v1=…`, several `v1` while a secret is replaced) signs these bytes, not more than
 * five minutes ago or ahead.
 */
export function isSigned(raw: Buffer, header: string | string[] | undefined, secret: string, now: Date): boolean {
  if (typeof header !== 'string') return false
  const parts = header.split(',').map((part) => part.trim().split('=', 2))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(now.getTime() / 1000 - Number(time)) > TOLERANCE_S) return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(raw).digest()
  const given = parts.filter(([name]) => name === 'v1').map(([, value = '']) => Buffer.from(value, 'hex'))
  return given.some((mac) => mac.length === expected.length && timingSafeEqual(mac, expected))
}
