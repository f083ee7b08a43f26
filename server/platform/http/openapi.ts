import { z } from 'zod'
import { type Endpoint, isReadByKey } from '#contract/endpoint.ts'
import { eventDescriptions, type PublicEvent, publicEvents } from '#contract/events.ts'
import { eventExamples } from '#contract/examples/events.ts'
import { exampleOf } from '#contract/examples/index.ts'
import { ids } from '#contract/examples/things.ts'
import { type RefusalCode, refusals, statusOf } from '#contract/refusals.ts'
import { refusalBody } from '../refusal.ts'
import { createSchemaConverter, type JsonSchema, type SchemaConverter } from './json-schema.ts'
import { refusalExamples } from './refusal-examples.ts'

type Options = { appUrl: string; environment: string; version: string }

/** The OpenAPI 3.1 document of the calls, made from the very schemas that check them. */
export function openApiDocument(endpoints: readonly Endpoint[], options: Options) {
  const converter = createSchemaConverter()
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operation(endpoint, converter)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tributary', version: options.version, description: INTRODUCTION },
    servers: [{ url: `${options.appUrl}/api/v1`, description: options.environment }],
    tags: [...new Set(endpoints.flatMap(({ tag }) => tag ?? [])), WEBHOOKS].map((name) => ({ name })),
    paths,
    webhooks: webhooks(converter),
    components: {
      securitySchemes,
      schemas: { ...converter.components(), Error: errorSchema() },
      responses: errorResponses(),
      parameters: { IdempotencyKey: idempotencyKey },
      headers: rateLimitHeaders,
    },
  }
}

const WEBHOOKS = 'webhooks'

/** What an outgoing webhook is sent, an entry for each event. */
const webhooks = (converter: SchemaConverter) =>
  Object.fromEntries(
    (Object.keys(publicEvents) as PublicEvent[]).map((type) => [
      type,
      {
        post: {
          operationId: `on${type.replace(/(?:^|[.-])(\w)/g, (_, first: string) => first.toUpperCase())}`,
          summary: eventDescriptions[type],
          tags: [WEBHOOKS],
          description: 'Signed by Standard Webhooks. Sent at least once: repeats have the same `webhook-id`.',
          security: [],
          parameters: webhookHeaders,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: eventBody(type, converter), example: eventExample(type) } },
          },
          responses: {
            '2XX': { description: 'Delivered; the body is not read further than its first characters.' },
            410: { description: 'Turns the webhook off.' },
            default: { description: 'Sent again later, ten times within about three days; `Retry-After` is heeded.' },
          },
        },
      },
    ]),
  )

const webhookHeaders = [
  ['webhook-id', 'The id of the event.'],
  ['webhook-timestamp', 'When this try was made, in seconds since 1970.'],
  ['webhook-signature', '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; several are parted by spaces.'],
].map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }))

function eventBody(type: PublicEvent, converter: SchemaConverter): JsonSchema {
  const text = { type: 'string' }
  const changes = { type: 'object', additionalProperties: { type: 'object', properties: { old: {}, new: {} } } }
  const omitted = { type: 'array', items: text, description: 'Fields left out to stay below 20 kB; the API has them.' }
  return {
    type: 'object',
    required: ['id', 'type', 'timestamp', 'apiVersion', 'accountId', 'data'],
    properties: {
      id: text,
      type: { const: type },
      timestamp: { type: 'string', format: 'date-time' },
      apiVersion: text,
      accountId: text,
      data: {
        type: 'object',
        required: ['object'],
        properties: { object: converter.convert(publicEvents[type], 'output'), changes, omitted },
      },
    },
  }
}

const eventExample = (type: PublicEvent) => ({
  id: ids.event,
  type,
  timestamp: '2026-07-27T21:01:09.330Z',
  apiVersion: '1',
  accountId: ids.account,
  data: { object: eventExamples[type] },
})

const INTRODUCTION = [
  'JSON in UTF-8, keys in camelCase; unknown keys in a body are refused.',
  'Amounts are integers in the smallest unit of the `currency` beside them (4999 is 49.99 usd; zero-decimal currencies',
  'count whole units). Rates are percent with at most four decimals. Instants are ISO 8601 in UTC with milliseconds,',
  "dates `YYYY-MM-DD` in the account's time zone. Absent optional fields are answered as null.",
  'Lists are paged by `cursor`: pass the `nextCursor` of one page to get the next.',
].join(' ')

const securitySchemes = {
  accessToken: { type: 'http', scheme: 'bearer', description: 'The access token of a session (sign-in or refresh).' },
  linkToken: { type: 'http', scheme: 'bearer', description: 'The token of a set-up or reset link.' },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: "An account's API key, with the right `push` for push calls, `read` for the others.",
  },
  wiseToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'A Wise API token, written `wise:{token}`; it is not kept.',
  },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Within 24 hours, the same call with the same key takes effect once and returns the first response again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const seconds = { schema: { type: 'integer', minimum: 1 } }
const rateLimitHeaders = {
  'RateLimit-Limit': { description: 'Calls per minute.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Calls remaining.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the limit resets.', ...seconds },
  'Retry-After': { description: 'Seconds to wait.', ...seconds },
}
const headerReferences = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
const limitNames = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

function operation(endpoint: Endpoint, converter: SchemaConverter): JsonSchema {
  const { name, summary, tag, allow, body, reply } = endpoint
  const example = exampleOf(endpoint)
  const status = endpoint.status ?? (reply ? 200 : 204)
  const content = reply && {
    content: {
      [endpoint.produces ?? 'application/json']: { schema: answerOf(endpoint, converter), ...shown(example?.reply) },
    },
  }
  const parameters = [
    ...pathParameters(endpoint, converter, example?.params),
    ...queryParameters(endpoint, converter, example?.query),
    ...headersOf(endpoint),
  ]
  return {
    operationId: name,
    summary,
    ...(tag && { tags: [tag] }),
    description: `For: ${allow.map((caller) => CALLERS[caller]).join(', ')}.`,
    'x-roles': allow,
    security: securityOf(endpoint),
    ...(parameters.length && { parameters }),
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { 'application/json': { schema: converter.convert(body, 'input'), ...shown(example?.body) } },
      },
    }),
    responses: {
      [status]: { description: MEANING[status] ?? 'Done.', headers: headerReferences(limitNames), ...content },
      ...Object.fromEntries(
        errorsOf(endpoint).map((code) => [code, { $ref: `#/components/responses/${NAMES[code]}` }]),
      ),
    },
  }
}

const shown = (example: unknown) => (example === undefined ? {} : { example })

const CALLERS = {
  admin: 'administrators',
  owner: "the account's owner",
  partner: 'the partner',
  ancestor: 'the partners above',
  user: 'everyone signed in',
  link: 'the bearer of a set-up or reset link',
  push: "the bearer of an account's API key",
  public: 'everyone',
}

const MEANING: Record<number, string> = {
  200: 'The answer.',
  201: 'Created.',
  202: 'Accepted; work continues in the background.',
  204: 'Done; there is no body.',
}

const answerOf = ({ produces, reply }: Endpoint, converter: SchemaConverter) =>
  produces && produces !== 'application/json' ? { type: 'string' } : converter.convert(reply!, 'output')

function securityOf(endpoint: Endpoint): Record<string, never[]>[] {
  const { allow, path } = endpoint
  if (path.startsWith('/wise/')) return [{ wiseToken: [] }]
  if (allow.includes('public')) return []
  if (allow.includes('push')) return [{ apiKey: [] }]
  const schemes = allow.map((caller): keyof typeof securitySchemes => (caller === 'link' ? 'linkToken' : 'accessToken'))
  if (isReadByKey(endpoint)) schemes.push('apiKey')
  return [...new Set(schemes)].map((scheme) => ({ [scheme]: [] }))
}

type Properties = { properties?: Record<string, JsonSchema>; required?: string[] }

export function pathParameters(
  { path, params }: Endpoint,
  converter: SchemaConverter,
  examples: Record<string, string> = {},
) {
  const { properties = {} }: Properties = params ? converter.convert(params, 'input') : {}
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[name] ?? { type: 'string' },
    ...shown(examples[name]),
  }))
}

export function queryParameters(
  { query }: Endpoint,
  converter: SchemaConverter,
  examples: Record<string, unknown> = {},
) {
  if (!query) return []
  const { properties = {}, required = [] }: Properties = converter.convert(query, 'input')
  return Object.entries(properties).map(([name, text]) => {
    const description = rule(query, name) ?? LIST_WORDS[name]
    const schema = meant(text)
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description && { description }),
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      schema,
      ...shown(readAs(schema, examples[name])),
    }
  })
}

/** A query is text; the document says what the text means. */
function meant(schema: JsonSchema): JsonSchema {
  if (schema.const === 'true') return { type: 'boolean', enum: [true] }
  return String(schema.enum) === 'true,false' ? { type: 'boolean' } : schema
}

function readAs({ type }: JsonSchema, value: unknown) {
  if (typeof value !== 'string') return value
  if (type === 'array') return value.split(',')
  return type === 'boolean' ? value === 'true' : value
}

const LIST_WORDS: Record<string, string> = {
  limit: 'The number of items on a page.',
  cursor: 'The `nextCursor` of the page before.',
  search: 'Matches items that contain these words.',
  from: 'The first day.',
  to: 'The last day, inclusive.',
}

/** What a parameter takes, in the words by which its schema refuses anything else. */
function rule(query: z.ZodType, name: string): string | undefined {
  if (!(query instanceof z.ZodObject)) return undefined
  const refused = (query.shape[name] as z.ZodType).safeParse('?')
  const issue = refused.error?.issues[0]
  return issue?.code === 'custom' ? `${issue.message}.` : undefined
}

/** Public and /auth calls repeat safely by themselves and ignore the key. */
const headersOf = ({ method, allow, path }: Endpoint) =>
  method === 'GET' || allow.includes('public') || path.startsWith('/auth/')
    ? []
    : [{ $ref: '#/components/parameters/IdempotencyKey' }]

const NAMES: Record<number, string> = {
  400: 'MalformedRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'ValidationFailed',
  429: 'RateLimited',
  500: 'InternalError',
  502: 'ProviderFailed',
  503: 'Unavailable',
}

function errorsOf({ allow, body, query, method, params, path, transaction }: Endpoint): number[] {
  const isPublic = allow.includes('public')
  const writes = method !== 'GET'
  const when: [number, boolean][] = [
    [400, writes],
    [401, !isPublic || path.startsWith('/auth/') || path.startsWith('/wise/')],
    [403, !isPublic],
    [404, Boolean(params) || path.includes(':')],
    [409, writes],
    [413, writes],
    [415, writes],
    [422, writes || Boolean(body ?? query)],
    [429, true],
    [500, true],
    [502, transaction === 'own'],
    [503, true],
  ]
  return when.filter(([, applies]) => applies).map(([status]) => status)
}

const codes = Object.keys(statusOf) as RefusalCode[]

const errorSchema = (): JsonSchema => ({
  type: 'object',
  required: ['error', 'requestId'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'reason', 'message'],
      properties: {
        code: { type: 'string', enum: codes },
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

const refusedAs = (code: RefusalCode) => ({
  error: refusalBody(refusalExamples[code]),
  requestId: 'a5a2c1de-0f0b-4f2c-9a7e-6d1f0c3b8e42',
})

function errorResponses() {
  return Object.fromEntries(
    Object.entries(NAMES).map(([status, name]) => {
      const own = codes.filter((code) => statusOf[code] === Number(status))
      const code = { properties: { error: { properties: { code: { enum: own } } } } }
      const waits = ['429', '503'].includes(status) ? ['Retry-After'] : []
      const limits = status === '429' ? limitNames : []
      return [
        name,
        {
          description: own.map((code) => `\`${code}\``).join(', '),
          ...(waits.length && { headers: headerReferences([...limits, ...waits]) }),
          content: {
            'application/json': {
              schema: { allOf: [{ $ref: '#/components/schemas/Error' }, code] },
              examples: Object.fromEntries(own.map((code) => [code, { value: refusedAs(code) }])),
            },
          },
        },
      ]
    }),
  )
}
