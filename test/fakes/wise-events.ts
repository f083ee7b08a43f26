import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import type { Fields } from './server.ts'

export type DeliveryHow = {
  /** Marks the trial delivery that Wise makes when a subscription is created. */
  test?: boolean
  /** Another PEM to sign with: a forged event. */
  privateKey?: string
  /** Other bytes than those signed: a changed event. */
  body?: string
}

/** Posts an event signed over its raw bytes with Wise's scheme (RSA, SHA-256, base64). */
export async function deliverWiseEvent(
  url: string,
  event: Fields,
  { test = false, privateKey = signingKeys().privateKey, body }: DeliveryHow = {},
) {
  const signed = JSON.stringify(event)
  const signature = createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64')
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-signature-sha256': signature,
      'x-delivery-id': randomUUID(),
      'x-test-notification': String(test),
    },
    body: body ?? signed,
    redirect: 'manual',
  })
  return { status: response.status, body: await response.text(), signature, sent: body ?? signed }
}

/** Wise's instants have no milliseconds. */
export const wholeSeconds = (at: Date) => at.toISOString().replace(/\.\d+Z$/, 'Z')

// one pair for all stand-ins of a process: creating it takes longer than most tests
let keys: { publicKey: string; privateKey: string } | undefined
/** The PEM pair for the signatures of events. */
export const signingKeys = () => {
  keys ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return keys
}
