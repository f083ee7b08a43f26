import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { addresses } from '#contract/addresses.ts'
import { ids } from '#contract/examples/objects.ts'
import { endpoints } from '#contract/index.ts'
import {
  NotFoundError,
  Tributary,
  type TributaryError,
  UnauthenticatedError,
  ValidationError,
} from '../client/dist/index.js'
import { type ApiDocument, listOperations, methodName, type Operation, toGroupName } from '../client/generate/api.ts'
import { openApiDocument } from '../server/platform/http/openapi.ts'
import { buildStory, preparations, signedByOthers } from './support/operations.ts'

// Every operation of the OpenAPI document is called through the published client with its own example, with ids
// replaced by those of an account that has all things; the answer is checked against the document's own schema.

const options = { appUrl: 'http://127.0.0.1', environment: 'local', version: '0.0.0' }
const document: ApiDocument = JSON.parse(JSON.stringify(openApiDocument(endpoints, options, addresses)))
const operations = listOperations(document)

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'api')
const pointer = (...keys: (string | number)[]) =>
  keys.map((key) => `/${encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/** The schema errors of a value at this place of the document, as text. */
function complaints(place: string, value: unknown): string {
  const validate = ajv.getSchema(`api#${place}`)
  assert.ok(validate, `no schema stands at ${place}`)
  return validate(value) ? '' : ajv.errorsText(validate.errors)
}

test('every example in the document satisfies its schema', () => {
  let seen = 0
  const walk = (value: unknown, place: string) => {
    if (typeof value !== 'object' || value === null) return
    const { schema, example, examples = {} } = value as Record<string, unknown>
    if (!schema) for (const [key, inner] of Object.entries(value)) walk(inner, place + pointer(key))
    const named = Object.values(examples as Record<string, { value: unknown }>).map((one) => one.value)
    for (const given of schema ? [...named, ...('example' in value ? [example] : [])] : []) {
      seen += 1
      assert.equal(complaints(`${place}/schema`, given), '', place)
    }
  }
  walk(document.paths, '/paths')
  walk(document.webhooks, '/webhooks')
  walk(document.components.responses, '/components/responses')
  assert.ok(seen > 350, `${seen} examples`)
})

const story = await buildStory()

type Shown = { name: string; in: string; example?: unknown; $ref?: string }
type Given = { ids: string[]; query?: Record<string, unknown>; body?: unknown }

/** The call in the document's example, with ids replaced by real ones. */
function exampleOf({ parameters = [], requestBody }: Operation, instead: Record<string, string>): Given {
  const of = (where: string) => (parameters as Shown[]).filter((one) => one.in === where)
  const content = requestBody?.content['application/json'] as { example?: unknown } | undefined
  const query = of('query').flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]]))
  const given = {
    ids: of('path').map(({ example }) => example),
    query: of('query').length ? Object.fromEntries(query) : undefined,
    body: content?.example,
  }
  const text = Object.entries(instead).reduce(
    (text, [one, other]) => text.replaceAll(one, other),
    JSON.stringify(given),
  )
  return JSON.parse(text)
}

type Heard = { status: number; type: string | null; text: string }

/** Calls an operation through the published client; the raw answer is recorded. */
async function call(tag: string, { operationId, requestBody }: Operation, given: Given, token: string | undefined) {
  const received: Heard[] = []
  const client = new Tributary({
    baseUrl: story.app.url,
    retries: 0,
    fetch: async (...request) => {
      const response = await fetch(...request)
      const type = response.headers.get('content-type')
      received.push({ status: response.status, type, text: await response.clone().text() })
      return response
    },
  })
  const room = client[toGroupName(tag) as keyof Tributary] as unknown as Record<string, (...all: unknown[]) => unknown>
  const method = methodName(tag, operationId)
  assert.equal(typeof room?.[method], 'function', `the client has no ${tag}.${method}: run npm run generate:client`)
  const sent = [...given.ids, ...(given.query ? [given.query] : []), ...(requestBody ? [given.body] : [])]
  const answer = await Promise.resolve(room[method]!(...sent, { token })).catch((error: unknown) => error)
  return { answer, heard: received.at(-1)! }
}

/** Returns the token for the first role of an operation. */
function tokenOf(operation: Operation, prepared: { token?: string } | undefined): string | undefined {
  if (prepared?.token !== undefined) return prepared.token
  const byRole: Record<string, string | undefined> = { ...story.tokens, user: story.tokens.owner, public: undefined }
  const role = ['owner', 'admin', 'partner', 'partners', 'portal', 'user', 'push', 'public'].find((one) =>
    operation['x-roles'].includes(one),
  )
  assert.ok(role, `${operation.operationId} is for ${operation['x-roles']}: prepare a token for it`)
  return byRole[role]
}

const placeOf = (path: string, method: string, status: string | number) =>
  pointer('paths', path, method.toLowerCase(), 'responses', status)

for (const { path, method, operation } of operations) {
  const { operationId, tags, responses } = operation
  const tag = tags[0]!

  test(`${operationId} responds as documented`, async () => {
    const prepared = await preparations[operationId]?.(story)
    const given = exampleOf(operation, { ...story.instead, ...prepared?.instead })
    const { answer, heard: received } = await call(tag, operation, given, tokenOf(operation, prepared))
    const help = `${operationId} with its own example: ${received.text.slice(0, 500)}
      (its example stands in contract/examples/, what it needs beside the story in test/support/operations.ts)`

    const statuses = Object.keys(responses).filter((status) => status.startsWith('2'))
    // an example is of something new, not of a preview or of what existed before
    const promised = statuses.findLast((status) => responses[status]!.content) ?? statuses[0] ?? ''
    assert.equal(`${received.status}`, promised, help)
    const [[media, shape] = []] = Object.entries(responses[promised]!.content ?? {})
    if (!media || !shape) return assert.deepEqual([received.text, answer], ['', undefined], help)
    assert.equal(received.type?.split(';')[0], media, help)
    if (media === 'text/csv') {
      const [header] = String((shape as { example?: unknown }).example).split('\r\n')
      assert.equal(received.text.split('\r\n')[0]?.replace(/^\ufeff/, ''), header, help)
    }
    if (media !== 'application/json') return
    const place = `${placeOf(path, method, promised)}/content${pointer(media)}/schema`
    assert.equal(complaints(place, JSON.parse(received.text)), '', help)
    assert.deepEqual(answer, JSON.parse(received.text))
  })
}

for (const { name, method, path, params } of addresses) {
  test(`${name}, outside the contract, responds as documented`, async () => {
    const place = path.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths[place]![method.toLowerCase()] as unknown as Operation
    const { body } = exampleOf(operation, story.instead)
    const at = path.replace(/:(\w+)/g, (_, name: string) => story.instead[params[name]!] ?? params[name]!)
    const answer = await fetch(story.app.url + at, {
      method,
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 Chrome/140.0.0.0', 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const help = `${name} (contract/addresses.ts) answers ${answer.status} ${text.slice(0, 300)}`
    const reason = signedByOthers[name]
    if (reason) assert.equal(JSON.parse(text).error.reason, reason, help)
    else assert.ok(answer.status < 400, help)
    const promised = operation.responses[answer.status]
    assert.ok(promised, help)
    const [media] = Object.keys(promised.content ?? {})
    assert.equal(answer.headers.get('content-type')?.split(';')[0], media, help)
    if (media !== 'application/json') return
    const schema = `${placeOf(place, method, answer.status)}/content${pointer(media)}/schema`
    assert.equal(complaints(schema, JSON.parse(text)), '', help)
  })
}

test('every prepared operation exists', () => {
  const names = operations.map(({ operation }) => operation.operationId)
  for (const name of Object.keys(preparations))
    assert.ok(names.includes(name), `test/support/operations.ts names ${name}`)
})

test('the common refusals have the documented status and format, and a class in the client', async () => {
  const ABSENT = '0198c5a2-6b1e-7c3d-9f00-000000000001'
  const surprise = { thisFieldDoesNotExist: 1 }
  let refusals = 0
  for (const { path, method, operation } of operations) {
    const { operationId, tags, responses, requestBody, security } = operation
    // any sale will do in place of the one without a credited partner
    const given = exampleOf(operation, { ...story.instead, [ids.pendingSale]: story.instead[ids.sale]! })
    const expect = async (given: Given, token: string | undefined, Class: typeof TributaryError, status: number) => {
      const { answer, heard: received } = await call(tags[0]!, operation, given, token)
      assert.ok(answer instanceof Class, `${operationId}: ${status} was expected, ${received?.text ?? answer}`)
      assert.equal(answer.status, status)
      assert.ok(responses[status], `${operationId} answers ${status}, which the document does not say`)
      const { $ref } = responses[status] as { $ref?: string }
      const place = $ref?.slice(1) ?? placeOf(path, method, status)
      assert.equal(complaints(`${place}/content/application~1json/schema`, JSON.parse(received.text)), '', operationId)
      refusals += 1
    }
    const isOpen = security.length === 0 || security.some((one) => 'linkToken' in one || 'wiseToken' in one)
    if (isOpen) continue
    const token = tokenOf(operation, undefined)
    await expect(given, 'no-such-token', UnauthenticatedError, 401)
    if (given.ids.length && path.includes('/{id}'))
      await expect({ ...given, ids: given.ids.map(() => ABSENT) }, token, NotFoundError, 404)
    if (requestBody && given.ids[0] !== ids.session)
      await expect({ ...given, body: surprise }, token, ValidationError, 422)
  }
  assert.ok(refusals > 250, `${refusals} refusals`)
})
