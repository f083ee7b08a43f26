import { isSigned } from '../signed-body.ts'

/**
 * Whether one of the signatures in a header, parted by commas while a secret is being replaced, signs these bytes.
 * `sha256=` may stand before each, as many systems write it.
 */
export const isSignedByOne = (
  raw: Buffer,
  header: string | string[] | undefined,
  { secret, encoding }: { secret: string; encoding: 'hex' | 'base64' },
): boolean =>
  typeof header === 'string' &&
  header
    .split(',')
    .map((part) => Buffer.from(part.trim().replace(/^sha256=/, ''), encoding).toString('base64'))
    .some((given) => isSigned(given, secret, raw))
