import { z } from 'zod'
import { EmbeddedClick, EmbeddedClickReply, EmbeddedLead, ReportedEmbedCheck } from '#features/embed/contract.ts'
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
  description: 'Accepted, including repeats.',
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
      'Counts the click and redirects to the destination with the code, the ID of the click (`click`) and the query of the request. Characters that a chat or a sentence adds around the code are ignored, and so is the rest of the path. No code or an unknown one redirects to the destination without them. A page that a browser loads in advance (`Sec-Purpose: prefetch`) gets the code, and no click is counted.',
    params: { blueprintKey: blueprint.key, referralCode: partner.referralCode },
    answers: {
      302: { description: 'Redirects to the destination; never cached.' },
      404: {
        description: 'The link doesn’t exist; the response is a page for visitors.',
        produces: 'text/html',
        example: '<!doctype html>',
      },
    },
    refused: ['database_away'],
  },
  {
    name: 'getEmbedScript',
    method: 'GET',
    path: '/embed/:publicId.js',
    summary: 'Load the embed script',
    description: 'The script that the account’s pages load; any site can load it.',
    params: { publicId: account.publicId },
    answers: { 200: { description: 'The script.', produces: 'text/javascript', example: '(() => {})()' } },
    refused: ['not_found', ...always],
  },
  {
    name: 'sendEmbeddedLead',
    method: 'POST',
    path: '/embed/:publicId/leads',
    summary: 'Send a lead from a page',
    description:
      'The form data that the embed script sends, also as `text/plain`. Every lead gets the same response. `submissionId` is random, and a form that was received before changes nothing. `joins` is the ID of the same visitor’s earlier form: the two are one lead while it is new. `corrects`: the email replaces that form’s.',
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
        submissionId: '5f0c8a5e-6d0b-4c8e-9f55-2b7d1f1f6a10',
      },
    },
    answers: { 202: { description: 'Accepted.' } },
    refused: ofEmbed,
  },
  {
    name: 'sendEmbeddedClick',
    method: 'POST',
    path: '/embed/:publicId/clicks',
    summary: 'Send a visit from a page',
    description: 'The data that the embed script sends when a visitor arrives with a code, also as `text/plain`.',
    params: { publicId: account.publicId },
    body: { schema: EmbeddedClick, example: { referralCode: partner.referralCode, pageUrl: link.url } },
    answers: {
      202: {
        description:
          'The ID of the click and the code that was credited, the first in `pageUrl`, then `referralCode`. If none credits a partner, `referralCode` is null, and the ID is the given `clickId`, else one of no click.',
        schema: EmbeddedClickReply,
        example: { clickId: click.id, referralCode: partner.referralCode },
      },
    },
    refused: ['invalid_fields', ...ofEmbed],
  },
  {
    name: 'reportEmbedCheck',
    method: 'POST',
    path: '/embed/:publicId/checks',
    summary: 'Report the elements that the script found',
    description: 'Accepted once for each check, with the token in the URL of the checked page.',
    params: { publicId: account.publicId },
    body: { schema: ReportedEmbedCheck, example: { token: 'Kd1Qz6Rw4Nbp3Vx8', matched } },
    answers: { 202: { description: 'Accepted.' } },
    refused: ['invalid_fields', ...ofEmbed],
  },
  {
    name: 'sendToIncomingWebhook',
    method: 'POST',
    path: '/hooks/in/:token',
    summary: 'Deliver to an incoming webhook',
    description:
      'JSON or form data of any structure, read by the webhook’s mapping. The response is sent before processing.',
    params: { token: incomingToken },
    body: { schema: anyJson, example: { contact: { name: 'Hannah Cole', email: 'hannah@brightline.example' } } },
    answers: {
      200: {
        description: 'Stored, and processed in the background; a repeat gets the ID of the first delivery.',
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
    name: 'testIncomingWebhookUrl',
    method: 'GET',
    path: '/hooks/in/:token',
    summary: 'Test the URL of an incoming webhook',
    description:
      'Delivers nothing; the webhook’s `lastPingAt` is set. The same holds for HEAD, and for a POST without a body, of a form with nothing but a number as `webhook_id`, or of JSON with nothing but a `challenge` (and `type` and `token`).',
    params: { token: incomingToken },
    answers: {
      200: {
        description:
          'What `challenge`, `hub.challenge`, `check` or `validationToken` in the query says, if it’s at most 200 letters, digits and `_.~:-`; JSON’s `challenge` is returned as JSON.',
        produces: 'text/plain',
        example: '',
      },
    },
    refused: ['not_found', 'incoming_address_not_allowed', 'account_disabled', ...always],
  },
  {
    name: 'sendProviderEvent',
    method: 'POST',
    path: '/hooks/providers/:provider/:connectionKey',
    summary: 'Deliver an event of a payment provider',
    description: 'The provider signs the unmodified body; the connection shows the URL.',
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
    description: 'For providers connected by OAuth, which send the events of all accounts to one URL.',
    params: { provider: 'stripe' },
    body: { schema: anyJson, example: { id: 'evt_1Kx9Acme', type: 'account.application.deauthorized' } },
    answers: { 200: received },
    refused: ofProvider,
  },
  {
    name: 'callMcp',
    method: 'POST',
    path: '/mcp',
    summary: 'Serve an AI assistant over MCP',
    description:
      'Model Context Protocol, Streamable HTTP, one request at a time. `Authorization: Bearer` has a token from `/users/me/tokens`, which can read whatever its user can.',
    params: {},
    body: { schema: anyJson, example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    answers: {
      200: {
        description: 'The response, as JSON or as a stream of one event.',
        schema: anyJson,
        example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
      },
      202: { description: 'Accepted: a notification has no response.' },
    },
    refused: ['user_token_not_valid', 'other_site', 'not_json', 'body_too_large', ...always],
  },
  {
    name: 'sendWiseEvent',
    method: 'POST',
    path: '/hooks/wise',
    summary: 'Deliver a state change of a transfer',
    description: 'Signed by Wise (`X-Signature-SHA256`). The state is read from Wise before it is applied.',
    params: {},
    body: {
      schema: anyJson,
      example: { event_type: 'transfers#state-change', data: { resource: { id: 50_114_203 } } },
    },
    answers: { 200: { description: 'Accepted.' } },
    refused: ['wise_signature_wrong', 'body_too_large', ...always],
  },
]
