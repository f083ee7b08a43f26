import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether a header is the HMAC-SHA256 of these parts one after the other, in base64. It names no time. */
export function isSigned(header: string | string[] | undefined, key: string, ...parts: (string | Buffer)[]): boolean {
  if (typeof header !== 'string' || key === '') return false
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  const expected = mac.digest()
  const given = Buffer.from(header, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
