import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { eventDescriptions, type PublicEvent } from './events.ts'
import { anyOf, EnteredInstant, Id, Instant, listQuery, pageSchema, plainText, requiredText } from './values.ts'

/** Sent only on demand, to the tested webhook. */
export const TEST_EVENT = 'webhook.test'

/** Matches every event, including ones added later. */
export const ALL_EVENTS = '*'

export const webhookEvents = Object.keys(eventDescriptions) as PublicEvent[]
/** Event types of a delivery. */
const deliveredEvents = [...webhookEvents, TEST_EVENT] as const

/** Placeholder for a header's value, which may be a secret; sending it back leaves the value unchanged. */
export const MASKED = '•••'

const Events = z
  .array(z.enum([ALL_EVENTS, ...webhookEvents]))
  .min(1, 'Choose at least one event')
  .refine((events) => !events.includes(ALL_EVENTS) || events.length === 1, 'Choose all events or some, not both')
  .transform((events) => [...new Set(events)])

/** Bodies of deliveries: the whole event as JSON, or a message for people, as that service takes it. */
export const webhookFormats = ['json', 'slack', 'teams', 'discord'] as const
const Format = z.enum(webhookFormats)

export const MOST_HEADERS = 10
const Headers = z
  .record(requiredText(100), plainText(1000))
  .refine((headers) => Object.keys(headers).length <= MOST_HEADERS, `Use at most ${MOST_HEADERS} headers`)
  .refine((headers) => {
    const names = Object.keys(headers).map((name) => name.toLowerCase())
    return new Set(names).size === names.length
  }, 'Use each header name once')

/**
 * Sends events to an address of another system, in the body of its `format`. `headers` go with
 * every delivery and are returned masked. `disabledReason` is set if it was not turned off by its owner;
 * `consecutiveFailures` counts failed attempts since the last success.
 */
export const OutgoingWebhook = z
  .object({
    id: Id,
    accountId: Id,
    name: z.string(),
    url: z.string(),
    format: Format,
    events: z.array(z.enum([ALL_EVENTS, ...webhookEvents])),
    headers: z.record(z.string(), z.string()),
    enabled: z.boolean(),
    disabledReason: z.string().nullable(),
    consecutiveFailures: z.int(),
    lastDeliveryAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'OutgoingWebhook' })
export type OutgoingWebhook = z.infer<typeof OutgoingWebhook>

/** `secret` (`whsec_` and 32 bytes in base64) signs deliveries; it is returned only here. */
export const OutgoingWebhookWithSecret = OutgoingWebhook.extend({ secret: z.string() }).meta({
  id: 'OutgoingWebhookWithSecret',
})

const fields = {
  name: requiredText(40),
  url: requiredText(2048),
  format: Format,
  events: Events,
  headers: Headers,
  enabled: z.boolean(),
}
export const NewOutgoingWebhook = z.strictObject({
  ...fields,
  format: Format.default('json'),
  headers: Headers.default({}),
  enabled: z.boolean().default(true),
})
export type NewOutgoingWebhook = z.infer<typeof NewOutgoingWebhook>
export const OutgoingWebhookChange = z.strictObject(fields).partial()
export type OutgoingWebhookChange = z.infer<typeof OutgoingWebhookChange>

export const deliveryStates = ['pending', 'delivered', 'retrying', 'failed'] as const

/**
 * One event's delivery to one webhook. `code` is the HTTP status of the last answer, null if none came; then
 * `responseBody` (its first 1,000 characters) is the reason. `requestBody` is in the webhook's
 * present format, and null once the event's object is deleted, after 90 days.
 */
export const OutgoingDelivery = z
  .object({
    id: Id,
    eventId: Id,
    event: z.string(),
    state: z.enum(deliveryStates),
    code: z.int().nullable(),
    durationMs: z.int().nullable(),
    attempts: z.int(),
    nextAttemptAt: Instant.nullable(),
    requestBody: z.string().nullable(),
    responseBody: z.string().nullable(),
    createdAt: Instant,
  })
  .meta({ id: 'OutgoingDelivery' })
export type OutgoingDelivery = z.infer<typeof OutgoingDelivery>

export const listWebhookEvents = endpoint('listWebhookEvents', 'GET /outgoing-webhooks/events', {
  summary: 'List the events an outgoing webhook can send',
  allow: rights.read,
  limit: apiLimit,
  reply: z.object({ items: z.array(z.object({ type: z.string(), description: z.string() })) }),
})

export const listOutgoingWebhooks = endpoint('listOutgoingWebhooks', 'GET /accounts/:id/outgoing-webhooks', {
  summary: 'List an account’s outgoing webhooks',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({}, ['name']),
  reply: pageSchema(OutgoingWebhook),
})

export const downloadOutgoingWebhooks = csvEndpoint(listOutgoingWebhooks, {
  summary: 'Download an account’s outgoing webhooks, without their headers',
  file: 'outgoing-webhooks',
  more: ['events'],
})

export const createOutgoingWebhook = endpoint('createOutgoingWebhook', 'POST /accounts/:id/outgoing-webhooks', {
  summary: 'Create an outgoing webhook; only this response contains its secret',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: NewOutgoingWebhook,
  status: 201,
  reply: OutgoingWebhookWithSecret,
})

export const getOutgoingWebhook = endpoint('getOutgoingWebhook', 'GET /outgoing-webhooks/:id', {
  summary: 'Retrieve an outgoing webhook',
  allow: rights.read,
  limit: apiLimit,
  subject: 'outgoing-webhook',
  reply: OutgoingWebhook,
})

export const changeOutgoingWebhook = endpoint('changeOutgoingWebhook', 'PUT /outgoing-webhooks/:id', {
  summary: 'Update an outgoing webhook; turning it on again resets its failure count',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'outgoing-webhook',
  body: OutgoingWebhookChange,
  reply: OutgoingWebhook,
})

export const deleteOutgoingWebhook = endpoint('deleteOutgoingWebhook', 'DELETE /outgoing-webhooks/:id', {
  summary: 'Delete an outgoing webhook and its deliveries',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'outgoing-webhook',
  status: 204,
})

export const rotateOutgoingSecret = endpoint('rotateOutgoingSecret', 'POST /outgoing-webhooks/:id/secret', {
  summary: 'Replace the secret; deliveries are signed with both secrets for 24 hours',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'outgoing-webhook',
  reply: OutgoingWebhookWithSecret,
})

export const testOutgoingWebhook = endpoint('testOutgoingWebhook', 'POST /outgoing-webhooks/:id/test', {
  summary: 'Send a test event',
  allow: rights.earn,
  limit: { name: 'webhook-test', perMinute: 6, by: 'account' },
  subject: 'outgoing-webhook',
  status: 202,
  reply: OutgoingDelivery,
})

export const listOutgoingDeliveries = endpoint('listOutgoingDeliveries', 'GET /outgoing-webhooks/:id/deliveries', {
  summary: 'List the deliveries of an outgoing webhook',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'outgoing-webhook',
  query: listQuery({
    state: anyOf(deliveryStates),
    event: anyOf(deliveredEvents),
    since: EnteredInstant.optional(),
  }),
  reply: pageSchema(OutgoingDelivery),
})

export const downloadOutgoingDeliveries = csvEndpoint(listOutgoingDeliveries, {
  summary: 'Download the deliveries of an outgoing webhook',
  file: 'deliveries',
})

export const resendDelivery = endpoint('resendDelivery', 'POST /outgoing-webhooks/:id/deliveries/:deliveryId/retries', {
  summary: 'Resend a delivery',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'outgoing-webhook',
  params: z.strictObject({ id: Id, deliveryId: Id }),
  status: 202,
  reply: OutgoingDelivery,
})

export const resendFailedDeliveries = endpoint('resendFailedDeliveries', 'POST /outgoing-webhooks/:id/retries', {
  summary: 'Resend all deliveries that failed since the given time',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'outgoing-webhook',
  body: z.strictObject({ since: EnteredInstant }),
  status: 202,
  reply: z.object({ count: z.int() }),
})
