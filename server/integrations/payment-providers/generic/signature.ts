import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether one of the signatures in a header, parted by commas while a secret is being replaced, signs these bytes by
 * HMAC-SHA256. `sha256=` may stand before each, as many systems write it.
 */
export function isSigned(
  raw: Buffer,
  header: string | string[] | undefined,
  { secret, encoding }: { secret: string; encoding: 'hex' | 'base64' },
): boolean {
  if (typeof header !== 'string' || secret === '') return false
  const expected = createHmac('sha256', secret).update(raw).digest()
  return header
    .split(',')
    .map((part) => Buffer.from(part.trim().replace(/^sha256=/, ''), encoding))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
