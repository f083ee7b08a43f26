import { isSigned } from '../signed-body.ts'

/**
 * Whether one of the signatures in a header, parted by commas while a secret is being replaced, signs these bytes.
 * `sha256=` may stand before each, as many systems write it.
 */
export const isSignedByOne = (
  raw: Buffer,
  header: string | string[] | undefined,
  by: { secret: string; encoding: 'hex' | 'base64' },
): boolean =>
  typeof header === 'string' && header.split(',').some((part) => isSigned(part.trim().replace(/^sha256=/, ''), by, raw))
