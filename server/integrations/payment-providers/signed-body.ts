import { createHmac, timingSafeEqual } from 'node:crypto'

type By = { secret: string; encoding: 'hex' | 'base64' }

/** Whether a header is the HMAC-SHA256 of these parts in sequence, without a time. */
export function isSignedBody(
  header: string | string[] | undefined,
  { secret, encoding }: By,
  ...parts: (string | Buffer)[]
): boolean {
  if (typeof header !== 'string' || secret === '') return false
  const mac = createHmac('sha256', secret)
  for (const part of parts) mac.update(part)
  const expected = mac.digest()
  const given = Buffer.from(header, encoding)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
