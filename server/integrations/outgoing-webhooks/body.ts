import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { TEST_EVENT } from '#contract/outgoing-webhooks.ts'
import type { DeliveryRow } from './queries.ts'

/** Of bodies and of the objects in them. */
const API_VERSION = '1'
/** Receivers may count on less than 20 kB. */
const MOST_BYTES = 20_000

/** What is sent of an event, as JSON; null once the event's object is forgotten. The same at every try. */
export function bodyOf(delivery: Pick<DeliveryRow, 'eventId' | 'event' | 'at' | 'accountId' | 'webhookId' | 'data'>) {
  const { eventId, event, at, accountId, webhookId, data } = delivery
  const envelope = { id: eventId, type: event, timestamp: at, apiVersion: API_VERSION, accountId }
  if (event === TEST_EVENT) return JSON.stringify({ ...envelope, data: { object: { webhookId } } })
  if (!data?.object) return null
  const { object, changes } = data
  const changed = Object.keys(changes ?? {}).length > 0 ? { changes } : {}
  const whole = JSON.stringify({ ...envelope, data: { object, ...changed } })
  return Buffer.byteLength(whole) < MOST_BYTES ? whole : shortened(envelope, object as Record<string, unknown>)
}

/** Without its largest fields, which are null and named in `omitted`: the API has them. */
function shortened(envelope: object, object: Record<string, unknown>) {
  const omitted = ['changes']
  let left = object
  for (;;) {
    const body = JSON.stringify({ ...envelope, data: { object: left, omitted } })
    if (Buffer.byteLength(body) < MOST_BYTES) return body
    const largest = Object.keys(left).reduce((most, field) => (sizeOf(left[field]) > sizeOf(left[most]) ? field : most))
    omitted.push(largest)
    left = { ...left, [largest]: null }
  }
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '')

/** Of a secret as it is shown to owners, `whsec_` and the key in base64. Making it costs more than signing with it. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'))

/** The headers of Standard Webhooks, with a signature by each key. */
export function signed(id: string, body: string, keys: readonly KeyObject[], now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
