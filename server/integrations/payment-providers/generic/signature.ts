import { isSignedBody } from '../signed-body.ts'

/**
 * Whether one of the signatures in a header, separated by commas during a rotation, signs these bytes. Each may have
 * the prefix `sha256=`, as many systems write it.
 */
export const isSignedByOne = (
  raw: Buffer,
  header: string | string[] | undefined,
  by: { secret: string; encoding: 'hex' | 'base64' },
): boolean =>
  typeof header === 'string' &&
  header.split(',').some((part) => isSignedBody(part.trim().replace(/^sha256=/, ''), by, raw))
