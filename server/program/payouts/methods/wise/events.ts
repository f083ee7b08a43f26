import { createVerify } from 'node:crypto'
import type { Events } from '../method.ts'
import { createWise } from './client.ts'
import { WISE_PRODUCTION_KEY } from './production-key.ts'

/**
 * Wise's signed state changes, checked over the raw bytes. Wise signs for all its customers with one key, so an event is
 * only a hint to read one of our transfers with our own token.
 */
export const events: Events = {
  // in the order in which they are subscribed to: an account that did so long ago has only the first
  kinds: ['transfers#state-change', 'transfers#active-cases', 'transfers#refund', 'transfers#payout-failure'],
  subscribe: (api, profileId, kind, url) => createWise(api).subscribe(profileId, kind, url),
  unsubscribe: (api, profileId, subscriptionId) => createWise(api).unsubscribe(profileId, subscriptionId),
  judge({ headers, body, key }) {
    if (headers['x-test-notification'] === 'true') return 'test'
    const holds = body !== null && isSigned(body, headers['x-signature-sha256'], key ?? WISE_PRODUCTION_KEY)
    return holds ? 'signed' : { wrong: 'wise_signature_wrong' }
  },
  transferOf,
}

/** Verifies RSA with SHA-256 over the raw body; the signature is base64. */
export function isSigned(body: Buffer, signature: unknown, publicKey: string): boolean {
  if (typeof signature !== 'string' || signature.length > 2000) return false
  return createVerify('RSA-SHA256').update(body).verify(publicKey, signature, 'base64')
}

/** Returns the transfer's id from either form of event. */
function transferOf(body: Buffer): string | null {
  try {
    const { data } = JSON.parse(body.toString('utf8'))
    const id = data?.resource?.id ?? data?.transfer_id
    return typeof id === 'number' || typeof id === 'string' ? String(id) : null
  } catch {
    return null
  }
}
