import type * as room from '../outgoing-webhooks.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage, webhookAddress } from './objects.ts'

const webhook: room.OutgoingWebhook = {
  id: ids.outgoingWebhook,
  accountId: ids.account,
  name: 'CRM sync',
  url: webhookAddress,
  format: 'json',
  events: ['lead.created', 'sale.created'],
  headers: { 'X-Team': '•••' },
  enabled: true,
  disabledReason: null,
  consecutiveFailures: 0,
  lastDeliveryAt: '2026-07-27T21:01:10.092Z',
  createdAt: '2026-07-14T10:02:18.033Z',
  updatedAt: '2026-07-14T10:02:18.033Z',
}
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDyXqvJ3ZkVvQ='

const delivery: room.OutgoingDelivery = {
  id: ids.outgoingDelivery,
  eventId: ids.event,
  event: 'sale.created',
  state: 'delivered',
  code: 200,
  durationMs: 184,
  attempts: 1,
  nextAttemptAt: null,
  requestBody: `{"id":"${ids.event}","type":"sale.created","timestamp":"2026-07-27T21:01:09.330Z"}`,
  responseBody: 'ok',
  createdAt: '2026-07-27T21:01:09.520Z',
}
const pending: room.OutgoingDelivery = {
  ...delivery,
  state: 'pending',
  code: null,
  durationMs: null,
  attempts: 0,
  nextAttemptAt: '2026-07-27T21:01:09.520Z',
  responseBody: null,
}

export const outgoingWebhooks: ExamplesOf<typeof room> = {
  listWebhookEvents: { reply: { items: [{ type: 'sale.created', description: 'A sale was recorded.' }] } },
  listOutgoingWebhooks: { reply: onlyPage(webhook) },
  createOutgoingWebhook: {
    refused: ['outgoing_webhook_twice', 'too_many_outgoing_webhooks'],
    body: { name: webhook.name, url: webhook.url, events: webhook.events, headers: { 'X-Team': 'growth' } },
    reply: { ...webhook, lastDeliveryAt: null, secret },
  },
  getOutgoingWebhook: { reply: webhook },
  changeOutgoingWebhook: {
    refused: ['header_value_missing', 'outgoing_webhook_twice'],
    body: { events: ['*'], enabled: true },
    reply: { ...webhook, events: ['*'] },
  },
  deleteOutgoingWebhook: {},
  rotateOutgoingSecret: { reply: { ...webhook, secret } },
  testOutgoingWebhook: { refused: ['webhook_off'], reply: { ...pending, event: 'webhook.test', requestBody: null } },
  listOutgoingDeliveries: { query: { state: 'delivered' }, reply: onlyPage(delivery) },
  resendDelivery: {
    refused: ['event_no_longer_kept', 'webhook_off'],
    params: { deliveryId: ids.outgoingDelivery },
    reply: pending,
  },
  resendFailedDeliveries: {
    refused: ['webhook_off'],
    body: { since: '2026-07-27T00:00:00.000Z' },
    reply: { count: 3 },
  },
}
