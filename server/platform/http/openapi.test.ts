import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { addresses } from '#contract/addresses.ts'
import { apiLimit, endpoint } from '#contract/endpoint.ts'
import { publicEvents } from '#contract/events.ts'
import { formerFields, formerOperations, formerSchemas } from '#contract/former-names.ts'
import { endpoints } from '#contract/index.ts'
import { buildBody } from '../../integrations/outgoing-webhooks/body.ts'
import { openApiDocument } from './openapi.ts'

const options = { appUrl: 'https://partners.example.com', environment: 'staging', version: '1.2.3' }
const document = JSON.parse(JSON.stringify(openApiDocument(endpoints, options, addresses)))
/** Any JSON: these tests check its contents. */
type Any = typeof document
const operations = Object.entries<Any>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Any>(methods)
    .filter(([method]) => method !== 'servers')
    .map(([method, operation]) => ({ path, method, operation })),
)
const find = (name: string) => operations.find(({ operation }) => operation.operationId === name)!
const parametersOf = (operation: Any): Any[] =>
  (operation.parameters ?? []).map((parameter: Any) => (parameter.$ref ? follow(parameter.$ref) : parameter))

function follow(reference: unknown): Any {
  assert.match(String(reference), /^#\//)
  const found = String(reference)
    .slice(2)
    .split('/')
    .reduce((at: Any | undefined, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)
  assert.ok(found, `${reference} leads nowhere`)
  return found
}

function walk(value: unknown, visit: (value: Any, at: string) => void, at = '#') {
  if (typeof value !== 'object' || value === null) return
  visit(value as Any, at)
  for (const [key, inner] of Object.entries(value)) walk(inner, visit, `${at}/${key}`)
}

test('every call of the contract is documented once, under a unique name', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.deepEqual(document.servers, [{ url: 'https://partners.example.com/api/v1', description: 'staging' }])
  assert.equal(document.info.version, '1.2.3')
  assert.equal(operations.length, endpoints.length + addresses.length)
  const names = operations.map(({ operation }) => String(operation.operationId))
  assert.equal(new Set(names).size, names.length)
  assert.deepEqual(names.toSorted(), [...endpoints, ...addresses].map(({ name }) => name).toSorted())
})

test('a renamed schema or call has its former name too', () => {
  for (const [now, before] of Object.entries(formerSchemas)) {
    assert.ok(document.components.schemas[now].type, now)
    assert.deepEqual(document.components.schemas[before], { $ref: `#/components/schemas/${now}`, deprecated: true })
  }
  for (const [now, before] of Object.entries(formerOperations))
    assert.equal((find(now).operation as Any)['x-former-operation-id'], before)
})

test('a renamed field has its former name beside it, deprecated', () => {
  for (const [now, before] of Object.entries(formerFields)) {
    const within = (value: Any): boolean => {
      if (typeof value !== 'object' || value === null) return false
      const { [now]: field, [before]: former } = value.properties ?? {}
      if (!former?.deprecated) return Object.values(value).some(within)
      assert.deepEqual(former, { ...field, deprecated: true })
      return true
    }
    assert.ok(within(document), before)
  }
})

test('the reference is in a reader’s order, whichever room implements a call', () => {
  assert.deepEqual(
    document.tags.map(({ name }: Any) => name).join(' '),
    'auth languages users accounts partners groups joining agreement links material announcements email-templates leads sales cases claims fraud commissions payouts objections reports rewards payment-providers outgoing-webhooks incoming-webhooks imports bulk-actions rehearsals api-keys push embed mail system addresses webhooks',
  )
  for (const [name, tag] of [
    ['listSales', 'sales'],
    ['getLeadStats', 'leads'],
    ['pushClicks', 'push'],
    ['getDashboard', 'accounts'],
  ] as const)
    assert.deepEqual(find(name).operation.tags, [tag])
})

test('every event is documented as it is sent to webhooks', async () => {
  assert.deepEqual(Object.keys(document.webhooks), Object.keys(publicEvents))
  const { post } = document.webhooks['sale.dispute-closed']
  assert.equal(post.operationId, 'onSaleDisputeClosed')
  assert.equal(post.summary, 'A dispute was won or lost.')
  const { schema } = post.requestBody.content['application/json']
  assert.deepEqual(schema.properties.type, { const: 'sale.dispute-closed' })
  assert.deepEqual(schema.properties.data.properties.object, { $ref: '#/components/schemas/Sale' })
  const names = Object.values<Any>(document.webhooks).map((one) => one.post.operationId)
  assert.equal(
    new Set([...names, ...operations.map(({ operation }) => operation.operationId)]).size,
    names.length + operations.length,
  )
  // real deliveries have these keys
  const delivery = {
    eventId: 'e',
    event: 'lead.created',
    at: '',
    accountId: 'a',
    webhookId: 'w',
    object: '{}',
    changes: null,
  }
  const sent = JSON.parse(buildBody(delivery, { format: 'json', origin: '' })!)
  assert.deepEqual(Object.keys(sent).sort(), [...schema.required].sort())
})

test('every reference resolves, and the converter leaves no traces', () => {
  let references = 0
  walk(document, (value, at) => {
    assert.ok(!('$defs' in value) && !('$schema' in value), at)
    if (typeof value.$ref !== 'string') return
    references++
    follow(value.$ref)
  })
  assert.ok(references > 500)
})

test('paths, parameters and security are well formed', () => {
  const schemes = Object.keys(document.components.securitySchemes)
  for (const { path, operation } of operations) {
    const parameters = parametersOf(operation)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    assert.deepEqual(
      inPath.map(({ name }) => `{${name}}`),
      path.match(/\{\w+\}/g) ?? [],
    )
    for (const parameter of parameters) {
      assert.ok(['path', 'query', 'header'].includes(String(parameter.in)), path)
      assert.ok(parameter.schema && Object.keys(parameter.schema).length, `${path} ${parameter.name} takes anything`)
    }
    assert.ok(!path.includes(':'))
    for (const security of operation.security)
      for (const scheme of Object.keys(security)) assert.ok(schemes.includes(scheme))
  }
})

test('every schema is JSON Schema, with types that exist and required keys that are described', () => {
  const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
  const check = (schema: Any, at: string) => {
    for (const type of [schema.type ?? []].flat()) assert.ok(types.includes(String(type)), `${at}: ${type}`)
    if (!Array.isArray(schema.required)) return
    for (const key of schema.required) assert.ok(schema.properties?.[key], `${at} requires ${key}`)
  }
  walk(document.components.schemas, (value, at) => !at.endsWith('/properties') && check(value, at))
  for (const { path, operation } of operations) {
    const body = operation.requestBody?.content?.['application/json']?.schema
    walk(body, (value, at) => !at.endsWith('/properties') && check(value, `${path} ${at}`))
  }
})

test('a write shows its body, its response, its possible refusals and the idempotency key', () => {
  const { path, method, operation } = find('createLead')
  assert.equal(`${method} ${path}`, 'post /accounts/{id}/leads')
  assert.deepEqual(operation.security, [{ accessToken: [] }])
  assert.deepEqual(operation.tags, ['leads'])
  assert.deepEqual(
    parametersOf(operation).map(({ name }) => name),
    ['id', 'Idempotency-Key'],
  )
  const body = operation.requestBody.content['application/json'].schema!
  assert.equal(operation.requestBody.required, true)
  assert.equal(body.additionalProperties, false)
  assert.ok(body.properties.email)
  const { 201: created, ...errors } = operation.responses
  assert.deepEqual(created.content['application/json'].schema, { $ref: '#/components/schemas/Lead' })
  assert.deepEqual(Object.keys(errors), ['400', '401', '403', '404', '409', '413', '415', '422', '429', '500', '503'])
  const lead = follow('#/components/schemas/Lead')
  assert.equal(lead.additionalProperties, undefined, 'answers may gain fields')
  assert.deepEqual(lead.properties.createdAt, { type: 'string', format: 'date-time' })
  assert.ok(lead.required.includes('email'), 'absent fields are answered as null')
})

test('a call that previews, or finds what it would create, shows both statuses of success', () => {
  const creating = ['pushLeads', 'pushSales', 'pushRefunds', 'pushClicks', 'upsertPartner', 'acceptAgreement']
  for (const name of [...creating, 'sendAnnouncement', 'createPaymentFile', 'eraseLead', 'erasePartner']) {
    const { 200: known, 201: created, 202: accepted } = find(name).operation.responses
    assert.deepEqual(known?.content, (created ?? accepted).content, name)
  }
  const { 200: session, 204: linked } = find('finishOidc').operation.responses
  assert.ok(session.content && linked && !linked.content)
})

test('a list shows its paging, sorting and filters', () => {
  const { operation } = find('listLeads')
  const parameters = new Map<string, Any>(
    parametersOf(operation).map((parameter) => [String(parameter.name), parameter]),
  )
  for (const name of ['limit', 'cursor', 'search', 'sort', 'status', 'from', 'to', 'partnerId'])
    assert.deepEqual([parameters.get(name)?.in, parameters.get(name)?.required], ['query', false], name)
  assert.deepEqual(parameters.get('limit').schema, { type: 'integer', minimum: 1, maximum: 100, default: 25 })
  const sorts = ['createdAt', '-createdAt', 'name', '-name', 'salesRevenue', '-salesRevenue']
  assert.deepEqual(parameters.get('sort').schema.enum, sorts)
  const { style, explode, schema, example } = parameters.get('status')
  assert.deepEqual(
    [style, explode, schema.type, schema.items.enum.slice(0, 3)],
    ['form', false, 'array', ['new', 'qualified', 'won']],
  )
  assert.deepEqual(example, ['new', 'qualified'])
  assert.deepEqual(parameters.get('unanswered').schema, { type: 'boolean', enum: [true] })
  assert.equal(operation.summary, 'List all leads')
  assert.match(operation.description, /^From and to are creation dates, .*\n\nFor: the account’s team\.$/)
  assert.ok(!parameters.has('Idempotency-Key'))
  const page = operation.responses['200'].content['application/json'].schema!
  assert.deepEqual(Object.keys(page.properties), ['items', 'nextCursor', 'total'])
})

test('the allowed callers are shown by the token the call accepts', () => {
  assert.deepEqual(find('signIn').operation.security, [])
  assert.deepEqual(find('pushSales').operation.security, [{ apiKey: [] }])
  assert.deepEqual(find('getPartner').operation.security, [{ accessToken: [] }, { apiKey: [] }])
  assert.deepEqual(find('changePartner').operation.security, [{ accessToken: [] }])
  assert.deepEqual(find('getUserSetup').operation.security, [{ linkToken: [] }])
  assert.deepEqual(find('changePassword').operation.security, [{ linkToken: [] }, { accessToken: [] }])
  assert.deepEqual(find('listWiseProfiles').operation.security, [{ wiseToken: [] }])
  assert.ok(!parametersOf(find('signIn').operation).length, 'public and /auth calls ignore the key')
})

test('errors have one format and name their codes', () => {
  const error = follow('#/components/schemas/Error')
  assert.deepEqual(Object.keys(error.properties), ['error', 'requestId'])
  const { required, properties } = error.properties.error
  assert.deepEqual(required, ['code', 'reason', 'message'])
  assert.ok(properties.reason.enum.includes('sale_is_void') && properties.values)
  const codesOf = ({ content }: Any) =>
    content['application/json'].schema.allOf[1].properties.error.properties.code.enum
  const conflict = follow('#/components/responses/Conflict')
  assert.deepEqual(conflict.content['application/json'].schema.allOf[0], { $ref: '#/components/schemas/Error' })
  assert.deepEqual(codesOf(conflict), ['conflict', 'idempotency_mismatch'])
  assert.deepEqual(Object.keys(follow('#/components/responses/RateLimited').headers), [
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
  ])
})

test('a refusal specific to a call is explained with it, and impossible ones are omitted', () => {
  const { 409: conflict, 422: wrong, 502: failed } = find('cancelPayout').operation.responses
  const code = (response: Any) => response.content['application/json'].schema.allOf[1].properties.error.properties.code
  assert.deepEqual(code(conflict).enum, ['conflict', 'idempotency_mismatch', 'invalid_state'])
  assert.match(conflict.description, /`payout_not_cancelable`: A payout that is \{\{status\}\} can’t be canceled\./)
  assert.deepEqual(code(failed).enum, ['provider_failed'])
  assert.deepEqual(wrong, { $ref: '#/components/responses/ValidationFailed' })
  assert.equal(find('approvePayout').operation.responses['502'], undefined)
  assert.deepEqual(code(find('getConnectUrl').operation.responses['409']).enum, ['invalid_state'])
  assert.ok(!('401' in find('resetPassword').operation.responses))
  for (const [name, isRefused] of [
    ['submitLead', true],
    ['createPartnerLink', true],
    ['deletePayoutSettings', false],
    ['createLead', false],
  ] as const)
    assert.equal(/`partner_inactive`/.test(find(name).operation.responses['409'].description ?? ''), isRefused, name)
})

test('every call, with its roles, has an example of everything it accepts and returns, and so does every event', () => {
  for (const { path, operation } of operations) {
    assert.ok(operation['x-roles'].length, path)
    for (const parameter of parametersOf(operation))
      if (parameter.in === 'path') assert.ok(parameter.example, `${path} ${parameter.name}`)
    const bodies = [operation.requestBody, ...Object.values<Any>(operation.responses)]
    for (const body of bodies.map((one) => (one?.$ref ? follow(one.$ref) : one)))
      for (const [type, media] of Object.entries<Any>(body?.content ?? {}))
        if (/json$|^text/.test(type))
          assert.ok(media.example !== undefined || Object.keys(media.examples ?? {}).length, `${path} ${type}`)
  }
  for (const [type, { post }] of Object.entries<Any>(document.webhooks))
    assert.equal(post.requestBody.content['application/json'].example.type, type)
})

test('addresses outside the contract are documented with their real path, and are public', () => {
  const { servers, get } = document.paths['/r/{blueprintKey}/{referralCode}']
  assert.deepEqual(servers, [{ url: 'https://partners.example.com', description: 'staging' }])
  assert.deepEqual(get.security, [])
  assert.ok(get.responses['302'] && get.responses['404'])
  assert.deepEqual(Object.keys(find('sendToIncomingWebhook').operation.responses), [
    '200',
    '401',
    '403',
    '404',
    '413',
    '429',
    '500',
    '503',
  ])
})

test('a shared schema with different input and output has two names, as has any schema that contains it', () => {
  const Inner = z.strictObject({ size: z.string().default('m') }).meta({ id: 'TestInner' })
  const Outer = z.object({ inner: Inner, again: Inner.optional() }).meta({ id: 'TestOuter' })
  const Same = z.object({ text: z.string() }).meta({ id: 'TestSame' })
  const call = endpoint('call', 'PUT /things/:id/:part', {
    summary: 'Changes',
    allow: ['owner'],
    limit: apiLimit,
    body: z.strictObject({ outer: Outer, same: Same }),
    reply: z.object({ outer: Outer, same: Same }),
  })
  const { paths, components } = JSON.parse(JSON.stringify(openApiDocument([call], options)))
  const { put } = paths['/things/{id}/{part}']
  const sent = put.requestBody.content['application/json'].schema.properties
  const answered = put.responses['200'].content['application/json'].schema.properties
  assert.deepEqual(sent.outer, { $ref: '#/components/schemas/TestOuterInput' })
  assert.deepEqual(answered.outer, { $ref: '#/components/schemas/TestOuter' })
  assert.deepEqual([sent.same, answered.same], Array(2).fill({ $ref: '#/components/schemas/TestSame' }))
  assert.deepEqual(components.schemas.TestOuterInput.properties.again, { $ref: '#/components/schemas/TestInnerInput' })
  assert.equal(components.schemas.TestInnerInput.required, undefined)
  assert.deepEqual(components.schemas.TestInner.required, ['size'])
  assert.deepEqual(
    put.parameters.map(({ name }: { name?: string }) => name),
    ['id', 'part', undefined],
  )
})
