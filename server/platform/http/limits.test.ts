import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import Fastify, { type FastifyReply } from 'fastify'
import { answerErrors } from './errors.ts'
import { createLimits, type Limits, limitRoutes, type NamedLimit, toNetwork } from './limits.ts'

const calls = (perMinute: number, name = 'calls'): NamedLimit => ({ name, perMinute, by: 'network' })

/** Starts a server that counts every call against these limits, by the key in its header. */
async function aServer(t: TestContext, limits: Limits, ...these: NamedLimit[]) {
  const fastify = Fastify()
  t.after(() => fastify.close())
  answerErrors(fastify, { appUrl: 'http://localhost' })
  fastify.get('/', async (request, reply) => {
    for (const limit of these) limits.check(reply, limit, String(request.headers.key))
    return 'ok'
  })
  return async (key = 'a') => {
    const { statusCode, headers, body } = await fastify.inject({ url: '/', headers: { key } })
    const shown = ['limit', 'remaining', 'reset'].map((name) => headers[`ratelimit-${name}`])
    return { status: statusCode, shown, wait: headers['retry-after'], body }
  }
}

/** Creates limits without a server, with a controlled time. */
function atTime(options: { mostCounts?: number } = {}) {
  const time = { ms: 5000 }
  const limits = createLimits(1, { now: () => time.ms, ...options })
  const reply = { headers: () => {}, getHeader: () => undefined } as unknown as FastifyReply
  return { time, limits, check: (limit: NamedLimit, key = 'a') => limits.check(reply, limit, key), reply }
}

test('calls over the limit are refused with the seconds to wait; every response reports the caller’s count', async (t) => {
  const call = await aServer(t, createLimits(1), calls(2))
  assert.deepEqual((await call()).shown, ['2', '1', '60'])
  assert.deepEqual((await call()).shown, ['2', '0', '60'])
  const refused = await call()
  assert.equal(refused.status, 429)
  assert.deepEqual(refused.shown.slice(0, 2), ['2', '0'])
  assert.equal(refused.wait, refused.shown[2])
  assert.equal(JSON.parse(refused.body).error.code, 'rate_limited')
  assert.equal((await call('b')).status, 200, 'another caller has a count of its own')
})

test('the count restarts a minute after its first call', () => {
  const { time, check } = atTime()
  check(calls(1))
  time.ms += 59_000
  assert.throws(() => check(calls(1)), { code: 'rate_limited', retryAfter: 1 })
  time.ms += 1_000
  check(calls(1))
  time.ms += 59_999
  assert.throws(() => check(calls(1)), { code: 'rate_limited' })
})

test('the factor multiplies, never below one call; 0 disables the limits', async (t) => {
  assert.deepEqual((await (await aServer(t, createLimits(10), calls(3)))()).shown, ['30', '29', '60'])
  assert.deepEqual((await (await aServer(t, createLimits(0.01), calls(3)))()).shown, ['1', '0', '60'])
  const off = createLimits(0)
  const free = await aServer(t, off, calls(3))
  for (let turn = 0; turn < 10; turn++) assert.equal((await free()).status, 200)
  assert.deepEqual((await free()).shown, [undefined, undefined, undefined])
  for (let turn = 0; turn < 10; turn++) assert.equal(off.exceeds(calls(3), 'a'), false)
})

test('of several limits on one response the one closest to exhaustion is shown', async (t) => {
  const all: NamedLimit = { name: 'all', perMinute: 100, by: 'account' }
  const call = await aServer(t, createLimits(1), calls(5), all)
  assert.deepEqual((await call()).shown, ['5', '4', '60'])
  const tight = await aServer(t, createLimits(1), calls(5), { ...all, perMinute: 2 })
  assert.deepEqual((await tight()).shown.slice(0, 2), ['2', '1'])
})

test('an exhausted limit refuses without counting, and a used one is distinguished from an unused one', () => {
  const { time, limits, check, reply } = atTime()
  limits.refuseSpent(reply, calls(1), 'a')
  assert.equal(limits.counts(calls(1), 'a'), false)
  check(calls(1))
  assert.equal(limits.counts(calls(1), 'a'), true)
  assert.throws(() => limits.refuseSpent(reply, calls(1), 'a'), { code: 'rate_limited' })
  limits.refuseSpent(reply, calls(2), 'a')
  time.ms += 60_000
  limits.refuseSpent(reply, calls(1), 'a')
  assert.equal(limits.counts(calls(1), 'a'), false)
  assert.deepEqual([limits.exceeds(calls(1), 'a'), limits.exceeds(calls(1), 'a')], [false, true])
})

test('a flood of networks shares no one’s count, and does not affect counts of known callers', () => {
  const { check } = atTime({ mostCounts: 100 })
  const account: NamedLimit = { name: 'account', perMinute: 3, by: 'account' }
  check(account, 'x')
  for (let stranger = 0; stranger < 10_000; stranger++) check(calls(1), `stranger ${stranger}`)
  check(calls(1), 'newcomer')
  check(account, 'x')
  check(account, 'x')
  assert.throws(() => check(account, 'x'), { code: 'rate_limited' })
})

test('a count in use outlives a flood of others', () => {
  const { check } = atTime({ mostCounts: 100 })
  for (let call = 0; call < 50; call++) {
    check(calls(50), 'neighbor')
    for (let stranger = 0; stranger < 20; stranger++) check(calls(1), `stranger ${call} ${stranger}`)
  }
  assert.throws(() => check(calls(50), 'neighbor'), { code: 'rate_limited' })
})

test('the addresses of one IPv6 network count as one caller', async (t) => {
  const call = await aServer(t, createLimits(1), calls(2))
  await call('2001:db8:1:2::1')
  await call('2001:db8:1:2:ffff::9')
  assert.equal((await call('2001:db8:1:2:abcd::')).status, 429)
  assert.equal((await call('2001:db8:1:3::1')).status, 200)
  assert.equal(toNetwork('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(toNetwork('192.0.2.1'), '192.0.2.1')
  assert.equal(toNetwork(undefined), '', 'who has hung up')
})

test('a route has the limit it declares, and one without a limit is not registered', async (t) => {
  const fastify = Fastify()
  t.after(() => fastify.close())
  answerErrors(fastify, { appUrl: 'http://localhost' })
  limitRoutes(fastify, createLimits(1))
  fastify.get('/two', { config: { limit: [calls(2, 'a'), calls(5, 'b')] } }, async () => 'ok')
  fastify.get('/own', { config: { limit: calls(1, 'c'), countsItself: true } }, async () => 'ok')
  assert.throws(() => fastify.get('/none', async () => 'ok'), /GET \/none declares no limit/)
  const statuses = async (url: string) => {
    const answers = []
    for (let turn = 0; turn < 3; turn++) answers.push((await fastify.inject(url)).statusCode)
    return answers
  }
  assert.deepEqual(await statuses('/two'), [200, 200, 429])
  assert.deepEqual(await statuses('/own'), [200, 200, 200])
})
