import type { WebhookObjects } from './api.ts'

type EventOf<T extends string, O> = {
  id: string
  type: T
  timestamp: string
  apiVersion: string
  accountId: string
  /** For an object above 20 kB, the fields listed in `omitted` are null or absent; get them from the API. */
  data: { object: O; changes?: Record<string, { old: unknown; new: unknown }>; omitted?: string[] }
}

/** The body of an outgoing webhook. More types are added over time: ignore unknown ones. */
export type WebhookEvent =
  | { [T in keyof WebhookObjects]: EventOf<T, WebhookObjects[T]> }[keyof WebhookObjects]
  | EventOf<'webhook.test', { webhookId: string }>

/** The delivery is not from this product, not for this receiver, or too old. Respond with 400 and ignore it. */
export class WebhookVerificationError extends Error {
  readonly reason: 'headers-missing' | 'timestamp-out-of-tolerance' | 'signature-wrong' | 'body-unreadable'

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
    this.reason = reason
  }
}

type GivenHeaders = Headers | Record<string, string | readonly string[] | undefined>

type VerifyOptions = {
  /** Largest difference of the clocks and age of a delivery; 300 by default. */
  toleranceSeconds?: number
  now?: Date
}

/** Most signatures checked: more than a sender has keys, and few enough to be cheap for a forger's request. */
const MOST_SIGNATURES = 10

/**
 * Verifies a delivery by Standard Webhooks with one of the secrets (`whsec_…`), and returns its event. `body` is the raw
 * body, before any parsing. Throws `WebhookVerificationError`.
 */
export async function verifyWebhook(
  body: string | Uint8Array<ArrayBuffer> | ArrayBuffer,
  headers: GivenHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const given = headerOf(headers, 'webhook-signature')
  if (!id || !timestamp || !given)
    throw new WebhookVerificationError(
      'headers-missing',
      'webhook-id, webhook-timestamp or webhook-signature is missing.',
    )
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp) || age > toleranceSeconds)
    throw new WebhookVerificationError('timestamp-out-of-tolerance', 'The delivery is too old, or the clocks differ.')

  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const keys = await Promise.all([secrets].flat().map(keyOf))
  if (!(await anyHolds(keys, signaturesIn(given), signed)))
    throw new WebhookVerificationError('signature-wrong', 'No signature is right for this secret.')
  return read(bytes)
}

async function anyHolds(keys: CryptoKey[], signatures: Uint8Array<ArrayBuffer>[], signed: Uint8Array<ArrayBuffer>) {
  // compared by the platform, in constant time
  for (const key of keys)
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  return false
}

function read(bytes: Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof event?.type === 'string') return event
  } catch {
    // reported below
  }
  throw new WebhookVerificationError('body-unreadable', 'The body is no event.')
}

function headerOf(headers: GivenHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : value?.[0]
}

/** Returns the signatures of version `v1`; a header may contain several, separated by spaces. */
const signaturesIn = (header: string) =>
  header
    .split(' ')
    .slice(0, MOST_SIGNATURES)
    .flatMap((one) => (one.startsWith('v1,') ? (fromBase64(one.slice(3)) ?? []) : []))

function keyOf(secret: string): Promise<CryptoKey> {
  const raw = fromBase64(secret.replace(/^whsec_/, ''))
  if (!raw?.length) throw new TypeError('A webhook secret is whsec_ and base64.')
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}
