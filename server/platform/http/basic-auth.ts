import { sameBytes } from './signature.ts'

/** Returns the value of an `Authorization` header with these credentials. */
export const buildBasicAuth = (username = '', password = '') =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** Whether a header has these credentials; no header has an empty password. */
export function isBasic(
  header: string | string[] | undefined,
  { username, password }: { username: string; password?: string | undefined },
): boolean {
  if (!password || typeof header !== 'string') return false
  const [, given = ''] = /^Basic ([\w+/=-]+)$/i.exec(header) ?? []
  return sameBytes(Buffer.from(given, 'base64'), Buffer.from(`${username}:${password}`))
}
