import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { type RefusalReason, refusals } from '#contract/refusals.ts'
import { anAccount, anEmail, aPartner, sendRequest as sendAsIs } from './support/app.ts'
import {
  app,
  blueprint,
  bodies,
  buildAddress,
  calls,
  isLast,
  listBodyKeys,
  owner,
  partner,
  publicId,
  setBack,
  tokenFor,
  withField,
} from './support/every-call.ts'
import {
  hostileBodies,
  hostileFilters,
  hostileValues,
  seededRandom,
  wideBodies,
  wrongIds,
  wrongQueries,
} from './support/hostile.ts'
import { aBlueprint, visitLink } from './support/links.ts'
import { failOnFetch } from './support/no-fetch.ts'

// Every endpoint of the server receives input that our clients would never send, and must explain the mistake soon,
// without failing itself. The input follows from the contract, so that a new call is tried too.

failOnFetch()
// biome-ignore lint/suspicious/noExplicitAny: whatever was answered
type Answered = { status: number; headers: Headers; body: any; text: string }
type Sending = {
  method: string
  url: string
  token?: string | null
  type?: string
  body?: string | Uint8Array<ArrayBuffer> | undefined
}

async function sendOnce({ method, url, token, type = 'application/json', body }: Sending) {
  const sentAt = performance.now()
  const answer = await sendAsIs(url, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type }),
    },
    body,
  })
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') && answer.text !== ''
  const answered: Answered = { ...answer, body: isJson ? JSON.parse(answer.text) : null }
  return { answered, ms: performance.now() - sentAt }
}

/** Whether the server was too busy and returned a refusal to try again. */
const isBusy = ({ status, body }: Answered) => status === 503 && body?.error?.reason === 'server_busy'

/** Sends it, again if the server is busy; with the milliseconds of the first answer. */
async function sendUntilAnswered(sending: Sending) {
  const first = await sendOnce(sending)
  let { answered } = first
  for (let turn = 0; turn < 5 && isBusy(answered); turn++) {
    await sleep(1000 * Number(answered.headers.get('retry-after')))
    answered = (await sendOnce(sending)).answered
  }
  return { answered, ms: first.ms }
}

const aTrifle = { method: 'GET', url: `${app.url}/api/v1/users/me`, token: owner }

/** Sends it and checks the answer: soon, no failure, and a refusal in words. */
async function send(sending: Sending, what: string): Promise<Answered> {
  let { answered, ms } = await sendUntilAnswered(sending)
  let soon = 1000
  // delays by other work on the machine do not count: a trivial call measures how busy it is
  for (let turn = 0; turn < 5 && ms > soon; turn++) {
    soon = Math.max(1000, 20 * (await sendOnce(aTrifle)).ms)
    ms = (await sendOnce(sending)).ms
  }
  assert.ok(ms <= soon, `${what} took ${Math.round(ms)} ms`)
  assert.ok(answered.status < 500 || answered.status === 502, `${what}: ${answered.status} ${answered.text}`)
  if (answered.status >= 400) assertInWords(answered, what)
  return answered
}

const INNER =
  /\b(select|insert into|update \w+ set|syntax error|constraint|relation|stack|node_modules|zod|undefined)\b/i

function assertInWords({ body, text, headers, status }: Answered, what: string) {
  assert.ok(body, `${what}: ${status} without a body of JSON: ${text.slice(0, 200)}`)
  const { error, requestId, ...rest } = body
  assert.deepEqual(rest, {}, what)
  assert.equal(requestId, headers.get('x-request-id'), what)
  const { code, reason, message, values = {}, fields = {}, details: _details, ...more } = error
  assert.deepEqual(more, {}, what)
  const [coded, catalogued] = refusals[reason as RefusalReason]
  const filled = catalogued.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name])
  assert.deepEqual({ code, message }, { code: coded, message: filled }, what)
  const sentences = [message, ...Object.values(fields)]
  for (const sentence of sentences) {
    assert.equal(typeof sentence, 'string', what)
    assert.ok(sentence.length > 3 && !/^\W/.test(sentence), `${what}: "${sentence}" is no sentence`)
  }
  const sentence = [code, message.replace(/^[^:]*: /, ''), ...Object.values(fields)].join(' ')
  assert.doesNotMatch(sentence, INNER, what)
}

/** Works through the things with several callers at once. */
async function each<T>(things: readonly T[], work: (thing: T) => Promise<unknown>, callers = 4) {
  const left = things.values()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (const thing of left) await work(thing)
    }),
  )
}

const random = seededRandom(20_261_120)
const isWriting = ({ method }: Endpoint) => method !== 'GET'

test('every call with a body has a valid one here', () => {
  const without = endpoints.filter(({ name, body }) => body && !bodies[name]).map(({ name }) => name)
  assert.deepEqual(without, [])
})

test('bodies that are missing, malformed or unsupported', async () => {
  const tryOne = async (endpoint: Endpoint) => {
    const { method, name } = endpoint
    const to = { method, url: buildAddress(endpoint), token: tokenFor(endpoint) }
    for (const { what, type, body, status } of hostileBodies) {
      // valid for calls without a body: they would delete things that later calls need
      if (method === 'DELETE' && [undefined, '', 'null', '[]'].includes(body as string | undefined)) continue
      const answered = await send({ ...to, ...(type && { type }), body }, `${name} with ${what}`)
      if (status) assert.equal(answered.status, status, `${name} with ${what}: ${answered.text}`)
    }
    const { maxBytes = 256_000 } = endpoint
    const tooMuch = await send({ ...to, body: `{"a":"${'x'.repeat(maxBytes)}"}` }, `${name} with too much`)
    assert.equal(tooMuch.status, 413, name)
    const unknown = await send({ ...to, body: '{"isAdmin":true,"a.b":{"c":1}}' }, `${name} with unknown fields`)
    assert.equal(unknown.status, 422, `${name}: ${unknown.text}`)
    // a body of several kinds has no fields before its kind is known
    const { fields } = unknown.body.error
    assert.ok(fields.isAdmin ?? fields.kind ?? fields.action, `${name}: ${unknown.text}`)
    await setBack(endpoint)
  }
  const writing = calls.filter(isWriting)
  await each(
    writing.filter((one) => !isLast(one)),
    tryOne,
  )
  await each(writing.filter(isLast), tryOne, 1)
})

/** Milliseconds of processor time since then. */
function workSince(before: NodeJS.CpuUsage) {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Bytes per millisecond that a slow machine receives and checks. */
const BYTES_A_MS = 60_000

/** Measures the parsing of a body, which cannot be avoided. */
function parsingOf(body: string) {
  const before = process.threadCpuUsage()
  JSON.parse(body)
  return workSince(before)
}

test('bodies of many small parts are refused at once and briefly', async () => {
  const writing = calls.filter((one) => isWriting(one) && one.method !== 'DELETE')
  const to = writing.map((one) => ({
    method: one.method,
    url: buildAddress(one),
    token: tokenFor(one),
    bytes: one.maxBytes ?? 256_000,
  }))
  const doors = [
    `/embed/${publicId}/leads`,
    `/embed/${publicId}/clicks`,
    '/hooks/wise',
    '/hooks/providers/stripe/unknown',
    '/none',
  ]
  for (const path of doors)
    to.push({ method: 'POST', url: app.url + path, token: null, bytes: path.startsWith('/embed') ? 16_000 : 256_000 })
  const bodiesOf = new Map<number, ReturnType<typeof wideBodies>>()
  for (const { bytes } of to) if (!bodiesOf.has(bytes)) bodiesOf.set(bytes, wideBodies(bytes))
  for (const { bytes, ...sending } of to)
    for (const [what, body] of bodiesOf.get(bytes)!) {
      const once = async () => {
        const before = process.threadCpuUsage()
        const { answered } = await sendOnce({ ...sending, body })
        return { answered, ms: workSince(before) }
      }
      // the sender and the check of its shape read the bytes once more each
      const most = 50 + body.length / BYTES_A_MS
      let parsing = 0
      let { answered, ms } = await once()
      const where = `${sending.method} ${sending.url} with ${what}`
      assert.ok(answered.status < 500, `${where}: ${answered.status}`)
      assert.ok(Buffer.byteLength(answered.text) < 64_000, `${where} is answered ${answered.text.length} characters`)
      const fields = Object.keys(answered.body?.error?.fields ?? {})
      assert.ok(fields.length <= 50 && fields.every(Boolean), where)
      const isLong = () => ms - parsing > Math.max(most, 2 * parsing)
      // garbage collection and left-over work do not count
      for (let turn = 0; turn < 5 && isLong(); turn++) {
        // measured at the same time, because the machine's speed varies
        parsing = parsingOf(body)
        ms = (await once()).ms
      }
      assert.ok(!isLong(), `${where} takes ${Math.round(ms - parsing)} ms beside ${Math.round(parsing)} of parsing`)
    }
})

for (const endpoint of calls.filter(({ body }) => body))
  test(`fields of ${endpoint.name}`, async () => {
    const { name, method } = endpoint
    const to = { method, url: buildAddress(endpoint), token: tokenFor(endpoint) }
    const make = bodies[name]!
    const keys = listBodyKeys(endpoint.body)
    assert.ok(keys.length > 0, name)
    // a fixed number of bodies per call, whatever its number of fields, so that all are done within a minute
    const share = Math.min(1, 110 / (keys.length * hostileValues.length))
    const tried = keys.flatMap((key) =>
      hostileValues.filter(() => random() < share).map((json) => [key, json] as const),
    )
    const tryOne = async ([key, json]: readonly [string, string]) => {
      const what = `${name} with ${key} = ${json.slice(0, 40)}`
      const answered = await send({ ...to, body: withField(make(), key, json) }, what)
      // the test payload of an incoming webhook may be any JSON; rows have results of their own
      const isAny =
        (name === 'testIncomingWebhook' && key === 'payload') || (name === 'createPartners' && key === 'partners')
      if (!isAny && (json.startsWith('[[') || json.startsWith('{"a"')))
        assert.ok(answered.status >= 400, `${what} was taken`)
    }
    // password hashing is slow on purpose
    await each(tried, tryOne, keys.includes('password') ? 1 : 4)
    const [first] = keys
    const twice = JSON.stringify(make()).replace(/^\{/, `{${JSON.stringify(first)}:{"no":1},`)
    await send({ ...to, body: twice }, `${name} with a field twice`)
    const known = JSON.stringify({ ...make(), unknownField: 1 })
    const unknown = await send({ ...to, body: known }, `${name} with one field too many`)
    assert.equal(unknown.status, 422, `${name}: ${unknown.text}`)
    assert.deepEqual(Object.keys(unknown.body.error.fields), ['unknownField'], name)
    await setBack(endpoint)
  })

test('queries of every list', async () => {
  const lists = calls.filter(({ method, query }) => method === 'GET' && query && listBodyKeys(query).includes('limit'))
  assert.ok(lists.length > 10)
  await each(lists, async (endpoint) => {
    const { name } = endpoint
    const to = { method: 'GET', token: tokenFor(endpoint) }
    const url = buildAddress(endpoint)
    for (const query of wrongQueries) {
      const { status, body, text } = await send({ ...to, url: `${url}?${query}` }, `${name}?${query.slice(0, 60)}`)
      assert.equal(status, 422, `${name}?${query.slice(0, 60)}: ${text.slice(0, 300)}`)
      assert.ok(Object.keys(body.error.fields).length > 0, `${name}?${query}`)
    }
    const filters = listBodyKeys(endpoint.query).filter((key) => !['limit', 'cursor', 'search', 'sort'].includes(key))
    for (const filter of filters) {
      for (const value of hostileFilters) {
        const what = `${name}?${filter}=${value.slice(0, 40)}`
        const { status, body } = await send({ ...to, url: `${url}?${filter}=${value}` }, what)
        if (status === 200) assert.ok(Array.isArray(body.items), what)
        else assert.deepEqual([status, Object.keys(body.error.fields ?? {})], [422, [filter]], what)
      }
      const { status } = await send({ ...to, url: `${url}?${filter}[]=1` }, `${name}?${filter}[]`)
      assert.equal(status, 422, `${name}?${filter}[]`)
    }
    for (const query of ['search=%25_%5C', 'search=%F0%9F%92%A9', 'search=%27--', 'search=', 'limit=1', 'limit=100'])
      assert.equal((await send({ ...to, url: `${url}?${query}` }, `${name}?${query}`)).status, 200, `${name}?${query}`)
  })
})

test('unknown IDs and invalid ranges in the path', async () => {
  const ranges = [
    '2026-02-30..2026-03-01',
    '2026-03-01..2026-02-01',
    '2026-01-01',
    '2000-01-01..2026-01-01',
    '2026-01-01..',
    '0000-01-01..0001-01-01',
    '2026-01-01...2026-01-02',
    '%00..%00',
    '-271821-04-20..2026-01-01',
    '9999-12-31..9999-12-31x',
    '9999-01-01..9999-12-31',
    '0001-01-01..0001-12-31',
  ]
  await each(calls, async (endpoint) => {
    const { name, method, path } = endpoint
    const to = { method, token: tokenFor(endpoint), ...(isWriting(endpoint) && { body: '{}' }) }
    for (const parameter of path.match(/:[a-zA-Z]+/g) ?? []) {
      const isRange = parameter === ':range'
      for (const value of isRange ? ranges : wrongIds) {
        const url = buildAddress({ ...endpoint, path: path.replace(parameter, () => value) })
        const what = `${name} at ${value.slice(0, 50)}`
        const { status, text } = await send({ ...to, url }, what)
        const right = isRange ? [422] : /%(?![\dA-F]{2})|%ff|%C0/i.test(value) ? [400, 404] : [404, 422]
        assert.ok(right.includes(status), `${what}: ${status} ${text}`)
      }
    }
  })
})

test('endpoints outside the contract: embed, short links, hooks and others', async () => {
  const doors: [string, string][] = [
    ['POST', `/embed/${publicId}/leads`],
    ['POST', `/embed/${publicId}/clicks`],
    ['POST', `/embed/${publicId}/checks`],
    ['POST', '/hooks/wise'],
    ['POST', '/hooks/providers/stripe/unknown'],
    ['POST', '/hooks/providers/stripe'],
    ['POST', '/hooks/providers/stripe/platform'],
    ['POST', '/hooks/in/unknown'],
    ['POST', '/mcp'],
    ['POST', '/mail/unsubscribe/unknown'],
    ['POST', '/api/v1/no/such/call'],
    ['POST', `/r/${blueprint.key}/${partner.referralCode}`],
    ['PUT', '/'],
  ]
  await each(doors, async ([method, path]) => {
    const url = `${app.url}${path}`
    for (const { what, type, body } of hostileBodies)
      await send({ method, url, ...(type && { type }), body }, `${path} with ${what}`)
    for (const json of hostileValues)
      for (const key of ['email', 'referralCode', 'pageUrl', 'elapsedMs', 'token', 'matched', 'clickId'])
        await send({ method, url, body: withField({ email: anEmail() }, key, json) }, `${path}, ${key} = ${json}`)
    const { status } = await send({ method, url, body: 'x'.repeat(300_000) }, `${path} with too much`)
    assert.ok([400, 401, 404, 413].includes(status), `${path}: ${status}`)
  })
  const shown: string[] = [
    ...[`/embed/${publicId}.js`, `/r/${blueprint.key}/`, '/r/', '/embed/', '/leads/', '/oauth/', '/'],
    ...['/mail/unsubscribe/', '/mail/previews/'],
  ]
  await each(shown, async (path) => {
    for (const id of wrongIds) {
      const { answered } = await sendUntilAnswered({ method: 'GET', url: `${app.url}${path}${id}?${id}=${id}` })
      assert.ok(answered.status < 500, `${path}${id}: ${answered.status}`)
    }
  })
})

test('public addresses with odd keys, many at once: neither they nor a visit meanwhile fail', async () => {
  // other calls may have archived the first account's partner
  const own = await anAccount(app)
  const partner = await aPartner(app, own, {})
  const blueprint = await aBlueprint(app, own)
  const odd = [
    ...['%00', 'a%00b', '%ff', '%C0%AE', '%ED%A0%80', '%CC%95'.repeat(160), '%E2%80%AE', '%F0%9F%92%A9', '%'],
    ...[
      '1e9',
      '__proto__',
      'constructor',
      'null',
      "'",
      '%25',
      '%20',
      'x'.repeat(65),
      'x'.repeat(499),
      'x'.repeat(7000),
    ],
  ]
  const addresses = (key: string): [string, string][] => [
    ['GET', `/r/${key}/anything`],
    ['GET', `/r/${blueprint.key}/${key}`],
    ['HEAD', `/r/${key}/${key}`],
    ['GET', `/r/${blueprint.key}/${partner.referralCode}?${key}=${key}`],
    ['GET', `/embed/${key}.js`],
    ['GET', `/s/${key}.js`],
    ['POST', `/embed/${key}/leads`],
    ['POST', `/s/${key}/clicks`],
    ['POST', `/hooks/in/${key}`],
    ['POST', `/hooks/providers/${key}/${key}`],
    ['POST', `/hooks/providers/stripe/${key}`],
    ['GET', `/mail/unsubscribe/${key}`],
    ['POST', `/mail/unsubscribe/${key}`],
    ['GET', `/mail/previews/${key}`],
    ['GET', `/docs/${key}`],
    ['GET', `/api/docs/${key}`],
  ]
  // each link is looked up for the first time, in one group with the odd keys
  const links = await Promise.all(odd.map(() => aBlueprint(app, own)))
  await Promise.all(
    odd.flatMap((key, at) => [
      ...addresses(key).map(async ([method, path]) => {
        const body = method === 'POST' ? '{"email":"a@mail.example"}' : undefined
        const { answered } = await sendUntilAnswered({ method, url: app.url + path, body })
        const { status } = answered
        assert.ok(status < 500, `${method} ${path.slice(0, 80)}: ${status}`)
        if (path.endsWith('/anything') && path.length < 500 && status !== 400)
          assert.match(answered.text, /leads nowhere/)
      }),
      (async () => {
        const seen = () => visitLink(app, links[at]!.key, partner.referralCode)
        let { status, location } = await seen()
        for (let turn = 0; turn < 5 && status === 503; turn++) {
          await sleep(1000)
          ;({ status, location } = await seen())
        }
        assert.deepEqual([status, location?.includes(partner.referralCode)], [302, true], `beside ${key.slice(0, 40)}`)
      })(),
    ]),
  )
})

test('numbers and dates at the limits', async () => {
  const own = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const by = async (method: string, path: string, body: unknown) => {
    const url = `${app.url}/api/v1${path}`
    return send(
      { method, url, token: own.token, body: JSON.stringify(body) },
      `${method} ${path} ${JSON.stringify(body)}`,
    )
  }
  const home = `/accounts/${own.id}`
  const { id: partnerId } = await aPartner(app, own)
  const { id } = (await by('POST', `${home}/leads`, { email: anEmail(), partnerId })).body
  const most = 1_000_000_000_000
  assert.equal((await by('POST', `/leads/${id}/sales`, { amount: most, taxAmount: most })).status, 201)
  const inYen = { amount: most, currency: 'jpy', saleDate: '2026-01-01' }
  for (const rate of [1000, 1e9]) {
    await by('POST', `${home}/exchange-rates`, { currency: 'jpy', date: '2026-01-01', rate })
    const sale = await by('POST', `/leads/${id}/sales`, inYen)
    assert.deepEqual(
      [sale.status, sale.body.accountAmount, sale.body.fxRate],
      [201, null, null],
      'waits for a right rate',
    )
    const preview = await by('POST', `${home}/commission-preview`, { ...inYen, leadId: id })
    assert.deepEqual([preview.body.accountAmount, preview.body.entries], [null, []])
  }
  const right = await by('POST', `${home}/exchange-rates`, { currency: 'jpy', date: '2026-01-01', rate: 0.01 })
  assert.equal(right.status, 201)
  const list = await app.api('GET', `${home}/sales?sort=amount`, { token: own.token })
  assert.deepEqual(
    list.body.items.map(({ accountAmount }: { accountAmount: number }) => accountAmount),
    [most, most, most],
  )
  for (const saleDate of ['0001-01-01', '1899-12-31', '9999-12-31'])
    assert.equal((await by('POST', `/leads/${id}/sales`, { amount: 1, saleDate })).status, 422, saleDate)
  for (const protectedUntil of ['0001-01-01', '9999-12-31'])
    assert.equal((await by('PUT', `/leads/${id}`, { protectedUntil })).status, 200, protectedUntil)
})
