import type { JsonSchema } from '../../server/platform/http/json-schema.ts'
import type { openApiDocument } from '../../server/platform/http/openapi.ts'
import { formatComment, propertyName, toType } from './types.ts'

type Media = { schema: JsonSchema }
type Parameter = {
  name: string
  in: string
  required: boolean
  description?: string
  schema: JsonSchema
  $ref?: string
}
export type Operation = {
  operationId: string
  'x-former-operation-id'?: string
  summary: string
  description: string
  tags: string[]
  'x-roles': string[]
  security: Record<string, never[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}
type Placed = { path: string; method: string; operation: Operation }
export type ApiDocument = ReturnType<typeof openApiDocument>

/** Every call of the document. Addresses on other servers are not part of the client. */
export const listOperations = ({ paths }: Pick<ApiDocument, 'paths'>): Placed[] =>
  Object.entries(paths)
    .filter(([, { servers }]) => !servers)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation: operation as unknown as Operation,
      })),
    )

/** Returns the client's calls and types as TypeScript source. */
export function buildApi(document: ApiDocument): string {
  const operations = listOperations(document)
  const rooms = Map.groupBy(operations, ({ operation }) => operation.tags[0]!)
  for (const [tag, calls] of rooms) refuseTwins(tag, calls)
  const schemas = document.components.schemas as Record<string, JsonSchema>
  return [
    '// Made from the OpenAPI document by `npm run generate:client`; changes here are lost.',
    "import type { List, OneOrMany, Page } from './list.ts'",
    "import { type Call, type CallOptions, createList, type Send } from './send.ts'",
    '',
    `export type ErrorCode = ${toType(codesOf(schemas.Error!))}`,
    '',
    ...Object.entries(schemas)
      .filter(([name]) => name !== 'Error')
      .map(([name, schema]) => `${declared(name, schema)}\n`),
    ...operations.flatMap((placed) => ownTypes(placed).map((text) => `${text}\n`)),
    webhookObjects(document),
    ...[...rooms].map(([tag, calls]) => room(tag, calls)),
    'export class Api {',
    ...[...rooms.keys()].map((tag) => `  readonly ${toGroupName(tag)}: ${roomName(tag)}`),
    '',
    '  constructor(send: Send) {',
    ...[...rooms.keys()].map((tag) => `    this.${toGroupName(tag)} = new ${roomName(tag)}(send)`),
    '  }',
    '}',
    '',
  ].join('\n')
}

const declared = (name: string, schema: JsonSchema) => {
  if (schema.deprecated) return former(name, toType(schema))
  return schema.type === 'object' && schema.properties
    ? `export interface ${name} ${toType(schema)}`
    : `export type ${name} = ${toType(schema)}`
}

/** A type by its former name. */
const former = (name: string, now: string) => `/** @deprecated Its name is \`${now}\`. */\nexport type ${name} = ${now}`

type Inside = { properties: Record<string, JsonSchema & Inside> }
const codesOf = (error: JsonSchema) => (error as unknown as Inside).properties.error!.properties.code!

/** Types of a single call: its query, its body, its answer. */
function ownTypes(placed: Placed): string[] {
  const { operation } = placed
  const name = pascal(operation.operationId)
  const query = queryOf(operation)
  const [body, answer] = [bodyOf(operation), answerOf(operation).schema]
  const types = {
    ...(query.length && { Query: `export interface ${name}Query {\n${query.flatMap(parameterLines).join('\n')}\n}` }),
    ...(body && !isNamed(body) && { Body: declared(`${name}Body`, body) }),
    ...(answer && !isNamed(answer) && !pageOf(answer) && { Answer: declared(`${name}Answer`, answer) }),
  }
  const before = formerOf(operation)
  return Object.entries(types).flatMap(([part, text]) => [
    text,
    ...(before ? [former(`${pascal(before)}${part}`, `${name}${part}`)] : []),
  ])
}

const formerOf = (operation: Operation) => operation['x-former-operation-id']

const parameterLines = ({ name, required, description, schema }: Parameter) => {
  const items = schema.type === 'array' ? (schema.items as JsonSchema) : undefined
  const type = items ? `OneOrMany<${toType(items)}>` : toType(schema)
  // an enum needs no description of its values
  const isChoice = Boolean((items ?? schema).enum)
  return [...formatComment(!isChoice && description, '  '), `  ${propertyName(name)}${required ? '' : '?'}: ${type}`]
}

const parametersOf = ({ parameters = [] }: Operation) => parameters.filter(({ $ref }) => !$ref)
const queryOf = (operation: Operation) => parametersOf(operation).filter((parameter) => parameter.in === 'query')
const bodyOf = ({ requestBody }: Operation) => requestBody?.content['application/json']?.schema
const isKeyed = ({ parameters = [] }: Operation) => parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))

function answerOf({ responses }: Operation) {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const [media, content] = Object.entries(success?.content ?? {})[0] ?? []
  return { media, schema: content?.schema }
}

/** Whether a type can be used directly, without its own name in the client. */
const isNamed = (schema: JsonSchema): boolean => {
  if (schema.$ref || (schema.type !== 'object' && !schema.anyOf && !schema.oneOf)) return true
  return Boolean((schema.anyOf as JsonSchema[] | undefined)?.every((one) => one.$ref || isRows(one)))
}
/** Rows are checked one by one, so the document has no type for them; the type of a single thing is used. */
const isRows = ({ type, items }: JsonSchema) => type === 'array' && Object.keys(items ?? {}).length === 0

/** The type of a list's page: its items and the other properties of the reply. */
function pageOf({ type, properties }: JsonSchema) {
  const { items, nextCursor, total, ...more } = (properties ?? {}) as Record<string, JsonSchema>
  if (type !== 'object' || !items || !nextCursor || !total) return undefined
  const page = `Page<${toType(items.items as JsonSchema)}>`
  return Object.keys(more).length
    ? `${page} & ${toType({ type: 'object', properties: more, required: Object.keys(more) }, '  ')}`
    : page
}

function webhookObjects({ webhooks }: ApiDocument): string {
  type Sent = { post: { requestBody: { content: Record<string, { schema: unknown }> } } }
  const lines = Object.entries(webhooks as unknown as Record<string, Sent>).map(([type, { post }]) => {
    const schema = post.requestBody.content['application/json']!.schema as Inside
    return `  ${propertyName(type)}: ${toType(schema.properties.data!.properties.object!)}`
  })
  return `/** The object in each type of webhook event. */\nexport interface WebhookObjects {\n${lines.join('\n')}\n}\n`
}

function room(tag: string, calls: Placed[]): string {
  return [
    `export class ${roomName(tag)} {`,
    '  readonly #send: Send',
    '',
    '  constructor(send: Send) {',
    '    this.#send = send',
    '  }',
    ...calls.flatMap((placed) => ['', ...method(tag, placed), ...formerMethod(tag, placed)]),
    '}',
    '',
  ].join('\n')
}

function method(tag: string, { path, method, operation }: Placed): string[] {
  const { operationId, summary, description } = operation
  const { media, schema: answer } = answerOf(operation)
  const query = queryOf(operation)
  const body = bodyOf(operation)
  const ids = idsOf(path, operation)
  const page = answer && query.some(({ name }) => name === 'cursor') ? pageOf(answer) : undefined
  const name = methodName(tag, operationId)
  const row = rowOf(body, answer)
  const taken = row
    ? `${row} | readonly ${row}[]`
    : body && (isNamed(body) ? toType(body, '  ') : `${pascal(operationId)}Body`)
  const optional = operation.requestBody?.required === false || query.every(({ required }) => !required)
  const given = [
    ...ids.map(({ name, type }) => `${name}: ${type}`),
    ...(query.length ? [`query${optional ? '?' : ''}: ${pascal(operationId)}Query`] : []),
    ...(body ? [`body${operation.requestBody!.required ? '' : '?'}: ${taken}`] : []),
    'options?: CallOptions',
  ]
  const parts = [
    `method: '${method}'`,
    `path: '${path}'`,
    ids.length && `ids: [${ids.map(({ name }) => name).join(', ')}]`,
    query.length && 'query',
    body && 'body',
    isKeyed(operation) && 'keyed: true',
    opener(operation) && `by: '${opener(operation)}'`,
    media && media !== 'application/json' && `answers: '${media}'`,
  ]
  const call = `{ ${parts.filter(Boolean).join(', ')} }`
  const comment = `  /** ${summary}. ${description.replaceAll('\n\n', ' ')} \`${method} ${path}\` */`
  if (page)
    return [
      comment,
      `  ${name}(${given.join(', ')}): List<${page}> {`,
      `    return createList(this.#send, ${call}, options)`,
      '  }',
    ]
  const promised = !answer ? 'void' : media !== 'application/json' ? other(media) : answeredType(operationId, answer)
  return [
    comment,
    ...(row ? alternatives(name, given, row, answer!) : []),
    `  ${name}(${given.join(', ')}): Promise<${promised}> {`,
    `    const call: Call = ${call}`,
    '    return this.#send(call, options)',
    '  }',
  ]
}

/** A method by the name that it had while its call had another. */
function formerMethod(tag: string, { operation }: Placed): string[] {
  const before = formerOf(operation)
  if (!before) return []
  const name = methodName(tag, operation.operationId)
  return ['', `  /** @deprecated Its name is \`${name}\`. */`, `  readonly ${methodName(tag, before)} = this.${name}`]
}

const other = (media: string | undefined) => (media?.startsWith('text/') ? 'string' : 'Blob')
const answeredType = (operationId: string, answer: JsonSchema) =>
  isNamed(answer) ? toType(answer, '  ') : (pageOf(answer) ?? `${pascal(operationId)}Answer`)

/** Returns the type of the row if the body is one row or a list of rows. */
function rowOf(body?: JsonSchema, answer?: JsonSchema): string | undefined {
  const [row, rows] = (body?.anyOf ?? []) as JsonSchema[]
  return row && rows && isRows(rows) && answer?.anyOf ? toType(row) : undefined
}

/** The reply to one row is its thing, the reply to a list of rows their results. */
function alternatives(name: string, given: string[], row: string, answer: JsonSchema): string[] {
  const signature = (body: string, answered: JsonSchema) =>
    `  ${name}(${given.map((one) => (one.startsWith('body') ? `body: ${body}` : one)).join(', ')}): Promise<${toType(answered)}>`
  const [thing, results] = answer.anyOf as [JsonSchema, JsonSchema]
  return [signature(row, thing), signature(`readonly ${row}[]`, results)]
}

function opener({ security }: Operation) {
  const schemes = security.flatMap((one) => Object.keys(one))
  if (schemes.length === 0) return 'nobody'
  if (schemes.includes('wiseToken')) return 'wise'
  return schemes.every((scheme) => scheme === 'apiKey') ? 'apiKey' : undefined
}

/** `{id}` is named after the segment before it: `accountId`. */
const idsOf = (path: string, operation: Operation) =>
  [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, before = '', name = '']) => ({
    name: name === 'id' ? `${camel(before).replace(/s$/, '')}Id` : name,
    type: toType(parametersOf(operation).find((one) => one.in === 'path' && one.name === name)!.schema),
  }))

const NOUNS: Record<string, string[]> = { links: ['LinkBlueprint', 'Link'] }

/** `createPartner` among partners is `create`; a name about another thing stays whole. */
export function methodName(tag: string, operationId: string): string {
  const [verb = ''] = /^[a-z]+/.exec(operationId) ?? []
  const rest = operationId.slice(verb.length)
  if (verb === tag && rest) return lowered(rest)
  const nouns = NOUNS[tag] ?? [pascal(tag).replace(/s$/, '')]
  for (const noun of nouns) {
    if (rest === noun || (verb === 'list' && rest === `${noun}s`)) return verb
    if (new RegExp(`^${noun}[A-Z]`).test(rest)) return verb + rest.slice(noun.length)
  }
  return operationId
}

function refuseTwins(tag: string, calls: Placed[]) {
  const byName = Map.groupBy(calls, ({ operation }) => methodName(tag, operation.operationId))
  for (const [name, twins] of byName)
    if (twins.length > 1)
      throw new Error(
        `${twins.map(({ operation }) => operation.operationId).join(' and ')} would both be ${tag}.${name} of the client: name one otherwise`,
      )
}

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
const camel = (text: string) => text.replace(/-(\w)/g, (_, first: string) => first.toUpperCase())
const pascal = (text: string) => camel(text).replace(/^./, (first) => first.toUpperCase())
/** The client property that groups a tag's calls. */
export const toGroupName = (tag: string) => camel(tag)
const roomName = (tag: string) => `${pascal(tag)}Api`
