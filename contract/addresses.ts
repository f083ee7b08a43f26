import { z } from 'zod'
import { EmbeddedClick, EmbeddedClickReply, EmbeddedLead, ReportedEmbedCheck } from './embed.ts'
import { account, blueprint, click, connectionKey, ids, incomingToken, link, partner } from './examples/objects.ts'
import type { RefusalReason } from './refusals.ts'
import { Id } from './values.ts'

type Answer = { description: string; produces?: string; schema?: z.ZodType; example?: unknown }

/** An address outside `/api/v1` that browsers, providers and other systems are sent to; used by the reference only. */
export type OutsideAddress = {
  name: string
  method: 'GET' | 'POST'
  path: string
  summary: string
  description: string
  /** An example for each parameter of the path. */
  params: Record<string, string>
  body?: { schema: z.ZodType; example: unknown }
  answers: Record<number, Answer>
  refused: readonly RefusalReason[]
}

const anyJson = z.unknown()
const always = ['too_many_calls', 'internal_error', 'database_away'] as const
const ofEmbed = ['not_found', 'not_json', 'body_too_large', 'wrong_media_type', ...always] as const
const ofProvider = ['not_found', 'event_unreadable', 'event_signature_wrong', 'body_too_large', ...always] as const
const received = {
  description: 'Taken; a repeat too.',
  schema: z.object({ received: z.literal(true) }),
  example: { received: true },
}
const matched = {
  firstName: true,
  lastName: true,
  email: true,
  phone: false,
  fieldsContainer: true,
  submitButton: true,
}

export const addresses: readonly OutsideAddress[] = [
  {
    name: 'followLink',
    method: 'GET',
    path: '/r/:blueprintKey/:referralCode',
    summary: 'Follow a referral link',
    description:
      'Counts the click and leads on to the destination with the code, the id of the click (`click`) and the query it came with. An unknown code leads to the bare destination.',
    params: { blueprintKey: blueprint.key, referralCode: partner.referralCode },
    answers: {
      302: { description: 'To the destination, never kept by a cache.' },
      404: { description: 'No such link: a page that says so.', produces: 'text/html', example: '<!doctype html>' },
    },
    refused: ['database_away'],
  },
  {
    name: 'getEmbedScript',
    method: 'GET',
    path: '/embed/:publicId.js',
    summary: 'Load the embed script',
    description: 'The script that pages of the account load; any site may.',
    params: { publicId: account.publicId },
    answers: { 200: { description: 'The script.', produces: 'text/javascript', example: '(() => {})()' } },
    refused: ['not_found', ...always],
  },
  {
    name: 'sendEmbeddedLead',
    method: 'POST',
    path: '/embed/:publicId/leads',
    summary: 'Send a lead from a page',
    description: 'What the embed script sends of a form, also as `text/plain`. Every lead is answered alike.',
    params: { publicId: account.publicId },
    body: {
      schema: EmbeddedLead,
      example: {
        firstName: 'Hannah',
        lastName: 'Cole',
        email: 'hannah@brightline.example',
        referralCode: partner.referralCode,
        pageUrl: link.url,
        elapsedMs: 8400,
      },
    },
    answers: { 202: { description: 'Taken.' } },
    refused: ofEmbed,
  },
  {
    name: 'sendEmbeddedClick',
    method: 'POST',
    path: '/embed/:publicId/clicks',
    summary: 'Send a visit from a page',
    description: 'What the embed script sends on arrival with a code, also as `text/plain`.',
    params: { publicId: account.publicId },
    body: { schema: EmbeddedClick, example: { referralCode: partner.referralCode, pageUrl: link.url } },
    answers: {
      202: {
        description: 'The id of the click, also for an unknown code.',
        schema: EmbeddedClickReply,
        example: { clickId: click.id },
      },
    },
    refused: ['invalid_fields', ...ofEmbed],
  },
  {
    name: 'reportEmbedCheck',
    method: 'POST',
    path: '/embed/:publicId/checks',
    summary: 'Report which elements the script found',
    description: 'Once for each check, by the token in the address of the page that is checked.',
    params: { publicId: account.publicId },
    body: { schema: ReportedEmbedCheck, example: { token: 'Kd1Qz6Rw4Nbp3Vx8', matched } },
    answers: { 202: { description: 'Taken.' } },
    refused: ['invalid_fields', ...ofEmbed],
  },
  {
    name: 'sendToIncomingWebhook',
    method: 'POST',
    path: '/hooks/in/:token',
    summary: 'Deliver to an incoming webhook',
    description: 'JSON or a form in whatever shape; the webhook’s mapping reads it. Its answer comes before the work.',
    params: { token: incomingToken },
    body: { schema: anyJson, example: { contact: { name: 'Hannah Cole', email: 'hannah@brightline.example' } } },
    answers: {
      202: {
        description: 'Kept, and processed in the background.',
        schema: z.object({ deliveryId: Id }),
        example: { deliveryId: ids.incomingDelivery },
      },
      200: {
        description: 'A repeat: the delivery that came first.',
        schema: z.object({ deliveryId: Id }),
        example: { deliveryId: ids.incomingDelivery },
      },
    },
    refused: [
      'not_found',
      'incoming_address_not_allowed',
      'incoming_not_proven',
      'account_disabled',
      'body_too_large',
      ...always,
    ],
  },
  {
    name: 'sendProviderEvent',
    method: 'POST',
    path: '/hooks/providers/:provider/:connectionKey',
    summary: 'Deliver an event of a payment provider',
    description: 'Signed by the provider over the body as it comes; the address stands in the connection.',
    params: { provider: 'stripe', connectionKey },
    body: { schema: anyJson, example: { id: 'evt_1Kx9Acme', type: 'invoice.paid' } },
    answers: { 200: received },
    refused: ofProvider,
  },
  {
    name: 'sendPlatformEvent',
    method: 'POST',
    path: '/hooks/providers/:provider/platform',
    summary: 'Deliver an event to the platform of a payment provider',
    description: 'For providers that are connected by OAuth: their events of all accounts come to one address.',
    params: { provider: 'stripe' },
    body: { schema: anyJson, example: { id: 'evt_1Kx9Acme', type: 'account.application.deauthorized' } },
    answers: { 200: received },
    refused: ofProvider,
  },
  {
    name: 'callMcp',
    method: 'POST',
    path: '/mcp',
    summary: 'Let an assistant read',
    description:
      'Model Context Protocol, Streamable HTTP, one request at a time. `Authorization: Bearer` has a token of `/users/me/tokens`; what it reads is what its user may.',
    params: {},
    body: { schema: anyJson, example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    answers: {
      200: {
        description: 'The answer, as JSON or as a stream of one event.',
        schema: anyJson,
        example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
      },
      202: { description: 'Taken: a notification has no answer.' },
    },
    refused: ['user_token_not_valid', 'other_site', 'not_json', 'body_too_large', ...always],
  },
  {
    name: 'sendWiseEvent',
    method: 'POST',
    path: '/hooks/wise',
    summary: 'Deliver a state change of a transfer',
    description: 'Signed by Wise (`X-Signature-SHA256`). What it says is read back from Wise before it counts.',
    params: {},
    body: {
      schema: anyJson,
      example: { event_type: 'transfers#state-change', data: { resource: { id: 50_114_203 } } },
    },
    answers: { 200: { description: 'Taken.' } },
    refused: ['wise_signature_wrong', 'body_too_large', ...always],
  },
]
