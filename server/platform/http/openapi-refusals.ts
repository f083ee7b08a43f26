import type { Endpoint } from '#contract/endpoint.ts'
import { type RefusalCode, statusByCode } from '#contract/refusal-codes.ts'
import { type RefusalReason, refusals } from '#contract/refusals.ts'
import { refusalBody } from '../refusal.ts'
import type { JsonSchema } from './json-schema.ts'
import { refusalExamples } from './refusal-examples.ts'

const seconds = { schema: { type: 'integer', minimum: 1 } }
export const rateLimitHeaders = {
  'RateLimit-Limit': { description: 'Calls per minute.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Calls remaining.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the limit resets.', ...seconds },
  'Retry-After': { description: 'Seconds to wait.', ...seconds },
}
export const headerReferences = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
export const limitNames = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** Whether a call uses the idempotency key; public and /auth calls are idempotent themselves and ignore it. */
export const isKeyed = ({ method, allow, path }: Endpoint) =>
  method !== 'GET' && !allow.includes('public') && !path.startsWith('/auth/')

type Status = (typeof statusByCode)[RefusalCode]

/** Refusals by a call's policy, its limits and its input; each appears once in the document. */
const shared: Partial<Record<Status, { name: string; codes: RefusalCode[]; of: (endpoint: Endpoint) => boolean }>> = {
  400: { name: 'MalformedRequest', codes: ['malformed_request'], of: ({ method }) => method !== 'GET' },
  401: {
    name: 'Unauthenticated',
    codes: ['unauthenticated', 'token_expired'],
    of: ({ allow }) => !allow.includes('public'),
  },
  403: {
    name: 'Forbidden',
    codes: ['forbidden', 'account_disabled', 'second_factor_missing'],
    of: ({ allow }) => !allow.includes('public'),
  },
  404: { name: 'NotFound', codes: ['not_found'], of: ({ path }) => path.includes(':') },
  409: { name: 'Conflict', codes: ['conflict', 'idempotency_mismatch'], of: isKeyed },
  413: { name: 'PayloadTooLarge', codes: ['payload_too_large'], of: ({ method }) => method !== 'GET' },
  415: { name: 'UnsupportedMediaType', codes: ['unsupported_media_type'], of: ({ method }) => method !== 'GET' },
  422: {
    name: 'ValidationFailed',
    codes: ['validation_failed'],
    of: ({ method, query }) => method !== 'GET' || Boolean(query),
  },
  429: { name: 'RateLimited', codes: ['rate_limited'], of: () => true },
  500: { name: 'InternalError', codes: ['internal_error'], of: () => true },
  503: { name: 'Unavailable', codes: ['unavailable'], of: () => true },
}

/** Returns the refusals of one call by status: those shared with others, and its own in words. */
export function buildRefusalResponses(endpoint: Endpoint, named: readonly RefusalReason[]) {
  const own: readonly RefusalReason[] = isClosedToInactive(endpoint) ? [...named, 'partner_inactive'] : named
  const statuses = [...new Set(Object.values(statusByCode))]
  return Object.fromEntries(
    statuses.flatMap((status): [number, JsonSchema][] => {
      const common = shared[status]?.of(endpoint) ? shared[status] : undefined
      const reasons = own.filter((reason) => statusByCode[refusals[reason][0]] === status)
      if (reasons.length) return [[status, response(status, common?.codes ?? [], reasons)]]
      return common ? [[status, { $ref: `#/components/responses/${common.name}` }]] : []
    }),
  )
}

/** Whether the call would write for a partner, which suspended and archived ones may not. */
const isClosedToInactive = ({ method, allow, whileInactive }: Endpoint) =>
  method !== 'GET' && !whileInactive && allow.some((caller) => /^(partner|partner-member|ancestor)$/.test(caller))

/** Returns refusals of an address without a policy. */
export function refusalsNamed(reasons: readonly RefusalReason[]) {
  const byStatus = Map.groupBy(reasons, (reason) => statusByCode[refusals[reason][0]])
  return Object.fromEntries([...byStatus].map(([status, own]) => [status, response(status, [], own)]))
}

export const sharedRefusals = () =>
  Object.fromEntries(
    Object.entries(shared).map(([status, { name, codes }]) => [name, response(Number(status) as Status, codes, [])]),
  )

function response(status: Status, common: readonly RefusalCode[], own: readonly RefusalReason[]): JsonSchema {
  const codes = [...new Set([...common, ...own.map((reason) => refusals[reason][0])])]
  const waits = status === 429 || status === 503 ? ['Retry-After'] : []
  const headers = [...(status === 429 ? limitNames : []), ...waits]
  const sentences = own.map((reason) => `- \`${reason}\`: ${refusals[reason][1]}`)
  return {
    description: [codes.map((code) => `\`${code}\``).join(', '), ...sentences].join('\n'),
    ...(headers.length && { headers: headerReferences(headers) }),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { properties: { error: { properties: { code: { enum: codes } } } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: example(code) }])),
      },
    },
  }
}

const example = (code: RefusalCode) => ({
  error: refusalBody(refusalExamples[code]),
  requestId: 'a5a2c1de-0f0b-4f2c-9a7e-6d1f0c3b8e42',
})

export const errorSchema = (): JsonSchema => ({
  type: 'object',
  required: ['error', 'requestId'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'reason', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(statusByCode) },
        reason: {
          type: 'string',
          enum: Object.keys(refusals),
          description: 'Which sentence it is, for clients with words of their own; more are added over time.',
        },
        message: { type: 'string', description: 'A sentence that tells a person what to do.' },
        values: {
          type: 'object',
          additionalProperties: { type: ['string', 'number'] },
          description: 'What the sentence names.',
        },
        fields: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: "One message per wrong field, by its dotted path from the body's root.",
        },
        details: { type: 'object', additionalProperties: true },
      },
    },
    requestId: { type: 'string' },
  },
})
