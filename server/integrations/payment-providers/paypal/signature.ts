import { verify } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { parseJson } from '../parse-values.ts'
import type { EventDelivery } from '../provider.ts'
import { createPaypalApi } from './api.ts'
import type { Certificates } from './certificates.ts'

/**
 * Whether PayPal signed these bytes for this webhook. It signs their checksum with the webhook's id, by a certificate
 * named in a header; PayPal itself verifies it if its issuer is unknown here. The time of signing is not checked:
 * PayPal repeats an event for three days with its first signature. Throws ProviderError.
 */
export async function isSignedByPayPal(
  { raw, headers, credentials, reach }: EventDelivery,
  webhookId: string,
  certificates: Certificates,
): Promise<boolean> {
  const given = readHeaders(headers)
  if (given?.algorithm !== 'SHA256withRSA') return false
  const { id, time, signature, certificate } = given
  const known = await certificates.keyAt(certificate, reach)
  if (known === 'wrong') return false
  if (known === 'unknown') return isSignedAsAsked({ raw, credentials, reach }, webhookId, given)
  if (known.key.asymmetricKeyType !== 'rsa') return false
  const signed = `${id}|${time}|${webhookId}|${crc32(raw)}`
  return verify('sha256', Buffer.from(signed), known.key, Buffer.from(signature, 'base64'))
}

type Given = { id: string; time: string; signature: string; certificate: string; algorithm: string }

function readHeaders(headers: EventDelivery['headers']): Given | null {
  const one = (name: string) => {
    const value = headers[`paypal-${name}`]
    return typeof value === 'string' ? value : ''
  }
  const id = one('transmission-id')
  const time = one('transmission-time')
  const signature = one('transmission-sig')
  const certificate = one('cert-url')
  return id && time && signature && certificate
    ? { id, time, signature, certificate, algorithm: one('auth-algo') }
    : null
}

async function isSignedAsAsked(
  { raw, credentials, reach }: Pick<EventDelivery, 'raw' | 'credentials' | 'reach'>,
  webhookId: string,
  given: Given,
): Promise<boolean> {
  const event = raw.toString('utf8')
  // embedded in the request as raw text, so it must be a single JSON value
  if (!parseJson(event)) return false
  const about = JSON.stringify({
    auth_algo: given.algorithm,
    cert_url: given.certificate,
    transmission_id: given.id,
    transmission_sig: given.signature,
    transmission_time: given.time,
    webhook_id: webhookId,
  })
  const answer = await createPaypalApi(credentials, reach).postRaw(
    'v1/notifications/verify-webhook-signature',
    `${about.slice(0, -1)},"webhook_event":${event}}`,
  )
  return answer.verification_status === 'SUCCESS'
}
