import type * as room from '../incoming-webhooks.ts'
import type { ExamplesOf } from './example.ts'
import { ids, incomingUrl, onlyPage, partner } from './objects.ts'

const payload = { contact: { name: 'Hannah Cole', email: 'hannah@brightline.example' }, ref: partner.referralCode }
const mapping: room.NewIncomingWebhook['mapping'] = [
  { field: 'firstName', path: 'contact.name', transform: 'trim', default: null },
  { field: 'email', path: 'contact.email', transform: 'lowercase', default: null },
]
const partnerMatch = { by: 'referralCode', path: 'ref' } as const

const shownMapping: room.IncomingWebhook['mapping'] = [
  { field: 'firstName', path: 'contact.name', transform: 'trim', default: null, values: null },
  { field: 'email', path: 'contact.email', transform: 'lowercase', default: null, values: null },
]

const webhook: room.IncomingWebhook = {
  id: ids.incomingWebhook,
  accountId: ids.account,
  name: 'Demo form',
  sender: null,
  target: 'lead',
  url: incomingUrl,
  state: 'active',
  enabled: true,
  auth: { type: 'url-secret' },
  rules: [{ name: 'Lead', target: 'lead', each: null, when: [], mapping: shownMapping, partnerMatch }],
  mapping: shownMapping,
  partnerMatch,
  filters: [],
  dedupePath: null,
  allowedIps: ['203.0.113.0/24', '2001:db8::7'],
  sample: payload,
  guesses: [{ field: 'email', path: 'contact.email', transform: 'lowercase' }],
  guessesByRule: [[{ field: 'email', path: 'contact.email', transform: 'lowercase' }]],
  questionsByRule: [[]],
  lastReceivedAt: '2026-07-28T07:41:00.612Z',
  lastPingAt: '2026-07-14T10:13:02.404Z',
  attention: null,
  counts: { processed: 5, ignored: 0, failed: 1 },
  createdAt: '2026-07-14T10:12:44.970Z',
  updatedAt: '2026-07-14T10:15:09.008Z',
}

const delivery: room.IncomingDelivery = {
  id: ids.incomingDelivery,
  state: 'failed',
  payload: { contact: { name: 'Hannah Cole' }, ref: partner.referralCode },
  payloadBytes: 51,
  reason: 'Enter an email, phone or external ID',
  fields: { email: 'Enter an email, phone or external ID' },
  made: null,
  records: [{ rule: 'Lead', type: 'lead', id: null, state: 'failed', reason: 'Enter an email, phone or external ID' }],
  warnings: [],
  others: [],
  receivedAt: '2026-07-28T07:41:00.612Z',
}

export const incomingWebhooks: ExamplesOf<typeof room> = {
  listIncomingWebhooks: { reply: onlyPage(webhook) },
  createIncomingWebhook: {
    refused: [
      'incoming_field_twice',
      'incoming_field_unknown',
      'incoming_path_unreadable',
      'incoming_secret_missing',
      'incoming_sender_unknown',
      'too_many_incoming_webhooks',
    ],
    body: { name: 'Demo form', target: 'lead', mapping, partnerMatch },
    reply: {
      ...webhook,
      sample: null,
      guesses: [],
      guessesByRule: [[]],
      questionsByRule: [[]],
      lastReceivedAt: null,
      lastPingAt: null,
      counts: { processed: 0, ignored: 0, failed: 0 },
    },
  },
  listIncomingSenders: {
    reply: {
      items: [
        {
          sender: 'tally',
          name: 'Tally',
          targets: ['lead', 'sale'],
          open: ['fullName', 'company'],
          alternatives: [],
          auth: { type: 'url-secret' },
          steps: ['In Tally, open the form, then Integrations, Webhooks, and press Connect'],
        },
      ],
    },
  },
  getIncomingWebhook: { reply: webhook },
  changeIncomingWebhook: {
    refused: ['incoming_field_twice', 'incoming_field_unknown', 'incoming_path_unreadable', 'incoming_secret_missing'],
    body: { name: 'Demo form', mapping, enabled: true },
    reply: webhook,
  },
  deleteIncomingWebhook: {},
  rotateIncomingUrl: { reply: webhook },
  testIncomingWebhook: {
    refused: ['incoming_field_twice', 'incoming_field_unknown', 'incoming_path_unreadable'],
    body: { payload },
    reply: {
      state: 'processed',
      reason: null,
      fields: null,
      values: { firstName: 'Hannah Cole', email: 'hannah@brightline.example', referralCode: partner.referralCode },
      made: { type: 'lead', created: true, object: { email: 'hannah@brightline.example' } },
      records: [
        {
          rule: 'Lead',
          type: 'lead',
          state: 'created',
          reason: null,
          object: { email: 'hannah@brightline.example' },
        },
      ],
      warnings: [],
    },
  },
  listIncomingDeliveries: { query: { state: 'failed' }, reply: onlyPage(delivery) },
  getIncomingDelivery: { params: { deliveryId: ids.incomingDelivery }, reply: delivery },
  confirmSamePerson: {
    refused: ['delivery_names_no_other'],
    params: { deliveryId: ids.incomingDelivery },
    reply: { ...delivery, state: 'processed', reason: null, fields: null },
  },
  replayDelivery: {
    refused: ['delivery_not_replayable', 'webhook_off'],
    params: { deliveryId: ids.incomingDelivery },
    reply: { ...delivery, state: 'received' },
  },
  replayFailedDeliveries: { reply: { count: 1 } },
}
