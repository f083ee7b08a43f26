import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { PublicEvent } from '#contract/events.ts'
import { type OutgoingWebhook, TEST_EVENT } from '#contract/outgoing-webhooks.ts'
import { chatBodies } from './chat-bodies.ts'
import { buildMessage, testMessage } from './message.ts'
import type { Sending } from './queries.ts'

/** Version of bodies and their objects. */
const API_VERSION = '1'
/** Receivers may rely on less than 20 kB. */
const MOST_BYTES = 20_000

/** How a webhook's bodies are written; `origin` is the address of the owner's screens. */
export type Shape = Pick<OutgoingWebhook, 'format'> & { origin: string }

type DeliveryContent = Pick<Sending, 'eventId' | 'event' | 'at' | 'object' | 'changes'> & {
  accountId: string
  webhookId: string
}

/** Whether the contents of a delivery are still stored: 90 days, those of a test always. */
export const isKept = ({ event, object }: Pick<Sending, 'event' | 'object'>) => event === TEST_EVENT || object !== null

/** Returns the body sent for an event; null once the event's object is deleted. */
export function buildBody(content: DeliveryContent, { format, origin }: Shape): string | null {
  if (!isKept(content)) return null
  if (format === 'json') return wholeBody(content)
  const { event, object, webhookId } = content
  const message = object
    ? buildMessage(event as PublicEvent, JSON.parse(object), origin)
    : testMessage(webhookId, origin)
  return JSON.stringify(chatBodies[format](message))
}

/** Returns the event as JSON, identical for every try: it contains the object as PostgreSQL prints it. */
function wholeBody({ eventId, event, at, accountId, webhookId, object, changes }: DeliveryContent): string {
  const envelope = { id: eventId, type: event, timestamp: at, apiVersion: API_VERSION, accountId }
  if (event === TEST_EVENT) return JSON.stringify({ ...envelope, data: { object: { webhookId } } })
  if (!object) throw new Error('The event is no longer stored.')
  const changed = changes && changes !== '{}' ? `,"changes":${changes}` : ''
  const whole = `${JSON.stringify(envelope).slice(0, -1)},"data":{"object":${object}${changed}}}`
  return Buffer.byteLength(whole) < MOST_BYTES ? whole : shortened(envelope, JSON.parse(object))
}

/**
 * The body in a rehearsal: a test event, so that receivers do not process it as news, with the event that would have
 * been sent.
 */
export const rehearsedBody = ({ id, at, accountId, webhookId, event, object }: Rehearsed, { format, origin }: Shape) =>
  JSON.stringify(
    format === 'json'
      ? {
          id,
          type: TEST_EVENT,
          timestamp: at,
          apiVersion: API_VERSION,
          accountId,
          data: { object: { webhookId, rehearsed: { type: event, object: JSON.parse(object) } } },
        }
      : chatBodies[format](testMessage(webhookId, origin, event)),
  )
type Rehearsed = { id: string; at: string; accountId: string; webhookId: string; event: string; object: string }

/** Replaces the largest fields by null and lists them in `omitted`: the API has them. */
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

/** Returns the key of a secret as shown to owners, `whsec_` and base64. Creating it costs more than signing. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'))

/** Returns the headers of Standard Webhooks, with a signature by each key. */
export function buildSignatureHeaders(
  id: string,
  body: string,
  keys: readonly KeyObject[],
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
