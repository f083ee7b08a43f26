import { z } from 'zod'
import type { OutsideAddress } from '#contract/addresses.ts'
import type { CsvEndpoint } from '#contract/csv.ts'
import { type Caller, type Endpoint, isReadByKey, rights, type TeamRole, teamRoles } from '#contract/endpoint.ts'
import { eventDescriptions, type PublicEvent, publicEvents } from '#contract/events.ts'
import { eventExamples } from '#contract/examples/events.ts'
import { findExample } from '#contract/examples/index.ts'
import { ids } from '#contract/examples/objects.ts'
import { formerOperations, formerSchemas } from '#contract/former-names.ts'
import { csvLines, toCell } from '../csv/csv.ts'
import { createSchemaConverter, type JsonSchema, type SchemaConverter } from './json-schema.ts'
import {
  buildRefusalResponses,
  errorSchema,
  headerReferences,
  isKeyed,
  limitNames,
  rateLimitHeaders,
  refusalsNamed,
  sharedRefusals,
} from './openapi-refusals.ts'

type Options = { appUrl: string; environment: string; version: string }

/** Builds the OpenAPI 3.1 document of the calls, from the schemas that validate them. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  options: Options,
  addresses: readonly OutsideAddress[] = [],
) {
  const converter = createSchemaConverter()
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operation(endpoint, converter)
  }
  for (const address of addresses) {
    const path = address.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= { servers: [{ url: options.appUrl, description: options.environment }] as never }
    paths[path][address.method.toLowerCase()] = openOperation(address, converter)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tributary', version: options.version, description: INTRODUCTION },
    servers: [{ url: `${options.appUrl}/api/v1`, description: options.environment }],
    tags: [
      ...[...new Set(endpoints.flatMap(({ tag }) => tag ?? []))].map((name) => ({ name })),
      ...(addresses.length ? [{ name: ADDRESSES, description: 'Beside `/api/v1`: where others are sent to.' }] : []),
      { name: WEBHOOKS, description: 'What outgoing webhooks are sent.' },
    ],
    paths,
    webhooks: webhooks(converter),
    components: {
      securitySchemes,
      schemas: withFormer({ ...converter.components(), Error: errorSchema() }),
      responses: sharedRefusals(),
      parameters: { IdempotencyKey: idempotencyKey },
      headers: rateLimitHeaders,
    },
  }
}

const WEBHOOKS = 'webhooks'
const ADDRESSES = 'addresses'

function openOperation(address: OutsideAddress, converter: SchemaConverter): JsonSchema {
  const { name, summary, description, params, body, answers, refused } = address
  const answered = Object.entries(answers).map(([status, { description, produces, schema, example }]) => [
    status,
    {
      description,
      ...((schema || produces) && {
        content: {
          [produces ?? 'application/json']: {
            schema: schema ? converter.convert(schema, 'output') : { type: 'string' },
            ...shown(example),
          },
        },
      }),
    },
  ])
  return {
    operationId: name,
    summary,
    tags: [ADDRESSES],
    description,
    'x-roles': ['public'],
    security: [],
    ...(Object.keys(params).length && {
      parameters: Object.entries(params).map(([name, example]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
        example,
      })),
    }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: converter.convert(body.schema, 'input'), example: body.example } },
      },
    }),
    responses: { ...Object.fromEntries(answered), ...refusalsNamed(refused) },
  }
}

/** Adds each renamed schema by its former name too; what a request takes may have a name of its own, `…Input`. */
function withFormer(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const former = Object.keys(schemas).flatMap((id) => {
    const [, name = id, input = ''] = /^(.+?)(Input)?$/.exec(id) ?? []
    const before = formerSchemas[name]
    return before ? [[before + input, { $ref: `#/components/schemas/${id}`, deprecated: true }] as const] : []
  })
  return { ...schemas, ...Object.fromEntries(former) }
}

/** The requests sent to an outgoing webhook, an entry for each event. */
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
  'A typed client for JavaScript and TypeScript stands in the folder `client` of the source.',
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

function operation(endpoint: Endpoint, converter: SchemaConverter): JsonSchema {
  const { name, summary, tag, allow, inPortal, body, reply, produces, alsoAs = [], orStatus } = endpoint
  const [title, ...more] = summary.split('; ')
  const example = findExample(endpoint)
  const status = endpoint.status ?? (reply || produces ? 200 : 204)
  const content = (reply || produces) && {
    content: {
      [produces ?? 'application/json']: {
        schema: answerOf(endpoint, converter),
        ...shown(fileExample(endpoint) ?? example?.reply),
      },
      ...Object.fromEntries(alsoAs.map((media) => [media, { schema: fileOf(media), ...shown(BEGINNINGS[media]) }])),
    },
  }
  const successOf = (of: number) => ({
    description: MEANING[of] ?? 'Done.',
    headers: headerReferences(limitNames),
    ...(of !== 204 && content),
  })
  const parameters = [
    ...pathParameters(endpoint, converter, example?.params),
    ...queryParameters(endpoint, converter, example?.query),
    ...headersOf(endpoint),
  ]
  return {
    operationId: name,
    ...(formerOperations[name] && { 'x-former-operation-id': formerOperations[name] }),
    summary: title,
    ...(tag && { tags: [tag] }),
    description: [
      ...more.map((words) => `${words.replace(/^./, (first) => first.toUpperCase())}.`),
      `For: ${[...callersOf(allow), ...(inPortal && !allow.includes('portal') ? [CALLERS.portal] : [])].join(', ')}.`,
    ].join('\n\n'),
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
      [status]: successOf(status),
      ...(orStatus && { [orStatus]: successOf(orStatus) }),
      ...buildRefusalResponses(endpoint, example?.refused ?? []),
    },
  }
}

/** Beginnings of texts too long to be shown. */
const BEGINNINGS: Record<string, string> = { 'text/csv': '"Form Type","Tax Year"', 'text/html': '<!doctype html>' }

const shown = (example: unknown) => (example === undefined ? {} : { example })

/** The team by those of its roles that may make the call. */
const TEAMS: Record<string, string> = {
  [rights.read.join()]: 'the account’s team',
  [rights.earn.join()]: 'the account’s owners and managers',
  [rights.pay.join()]: 'the account’s owners and finance',
  [rights.earnOrPay.join()]: 'the account’s owners, managers and finance',
  [rights.own.join()]: 'the account’s owners',
}

function callersOf(allow: readonly Caller[]) {
  const isTeam = (caller: Caller): caller is TeamRole => (teamRoles as readonly Caller[]).includes(caller)
  const team = TEAMS[allow.filter(isTeam).join()]
  return [
    ...(team ? [team] : []),
    ...allow.filter((caller) => !isTeam(caller)).map((caller) => CALLERS[caller as Exclude<Caller, TeamRole>]),
  ]
}

const CALLERS: Record<Exclude<Caller, TeamRole>, string> = {
  admin: 'administrators',
  partner: 'the partner’s owners',
  'partner-member': 'the partner’s members',
  ancestor: 'the partners above',
  user: 'everyone signed in',
  link: 'the bearer of a set-up or reset link',
  push: "the bearer of an account's API key",
  partners: 'API keys with the right `partners`',
  payouts: 'API keys with the right `payouts`',
  rewards: 'API keys with the right `rewards`',
  portal: 'portal sessions',
  public: 'everyone',
}

const MEANING: Record<number, string> = {
  200: 'The answer.',
  201: 'Created.',
  202: 'Accepted; work continues in the background.',
  204: 'Done; there is no body.',
}

function answerOf({ produces, reply }: Endpoint, converter: SchemaConverter): JsonSchema {
  return produces && produces !== 'application/json' ? fileOf(produces) : converter.convert(reply!, 'output')
}

/** Returns the schema of text, or of unspecified bytes. */
const fileOf = (media: string): JsonSchema => (media.startsWith('text/') ? { type: 'string' } : {})

/** Returns the example of a list's file, with the contents of the list's own example. */
function fileExample(endpoint: Endpoint & Partial<Pick<CsvEndpoint, 'list' | 'usualColumns'>>): string | undefined {
  const { list, usualColumns: columns } = endpoint
  if (!list || !columns) return undefined
  const { items } = (findExample(list)?.reply ?? { items: [] }) as { items: Record<string, unknown>[] }
  const header = columns.map(({ name }) => ({ plain: name }))
  return csvLines([header, ...items.map((item) => columns.map((column) => toCell(item, column, 'usd')))])
}

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
    const schema = meant(text)
    const description = LIST_WORDS[name] ?? (isChoice(schema) ? undefined : rule(query, name))
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

/** Returns the schema of a query parameter's meaning; the query itself is text. */
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
  sort: 'The field to sort by; with `-` before it, downwards.',
  from: 'The first day.',
  to: 'The last day, inclusive.',
}

/** Whether the schema lists its values. */
const isChoice = ({ enum: values, items }: JsonSchema) => Boolean(values ?? (items as JsonSchema | undefined)?.enum)

/** Returns the rule of a parameter, in the words of its schema's refusal. */
function rule(query: z.ZodType, name: string): string | undefined {
  if (!(query instanceof z.ZodObject)) return undefined
  const refused = (query.shape[name] as z.ZodType).safeParse('?')
  const issue = refused.error?.issues[0]
  return issue?.code === 'custom' ? `${issue.message}.` : undefined
}

const headersOf = (endpoint: Endpoint) =>
  isKeyed(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []
