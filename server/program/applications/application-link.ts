import { timingSafeEqual } from 'node:crypto'
import { bytesOfId, idOfBytes } from '../../platform/database/ids.ts'
import type { Secrets } from '../../platform/database/secrets.ts'

type Key = { accountId: string; id: string }

const sealOf = (secrets: Secrets, { accountId, id }: Key) =>
  Buffer.from(secrets.derive('confirm-application', `${accountId}.${id}`), 'base64url')

/** The token of an application's link: its key, signed. It names the account, which alone has the row. */
export const confirmToken = (secrets: Secrets, key: Key) =>
  Buffer.concat([bytesOfId(key.accountId), bytesOfId(key.id), sealOf(secrets, key)]).toString('base64url')

/** Returns the key in a token of this install; undefined for any other text. */
export function keyInToken(secrets: Secrets, token: string): Key | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== 64 || bytes.toString('base64url') !== token) return undefined
  const key = { accountId: idOfBytes(bytes.subarray(0, 16)), id: idOfBytes(bytes.subarray(16, 32)) }
  return timingSafeEqual(bytes.subarray(32), sealOf(secrets, key)) ? key : undefined
}

export const confirmUrl = (origin: string, secrets: Secrets, key: Key) =>
  `${origin}/join/confirm#token=${confirmToken(secrets, key)}`
