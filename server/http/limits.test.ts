import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { answerErrors } from './errors.ts'
import { createLimits, type Limit, type Limits, networkOf } from './limits.ts'

/** A server whose every call is counted against `limitsOf(key)`. */
async function aServer(t: TestContext, limits: Limits, limitsOf: (key: string) => Limit[]) {
  const fastify = Fastify()
  t.after(() => fastify.close())
  answerErrors(fastify)
  fastify.get('/', async (request, reply) => {
    for (const limit of limitsOf(String(request.headers.key))) await limits.check(reply, limit)
    return 'ok'
  })
  return async (key = 'a') => {
    const { statusCode, headers, body } = await fastify.inject({ url: '/', headers: { key } })
    const shown = ['limit', 'remaining', 'reset'].map((name) => headers[`ratelimit-${name}`])
    return { status: statusCode, shown, wait: headers['retry-after'], body }
  }
}

test('calls over the limit are refused with the seconds to wait; every answer tells where the caller stands', async (t) => {
  const call = await aServer(t, createLimits(1), (key) => [{ name: 'calls', key, perMinute: 2 }])
  assert.deepEqual((await call()).shown, ['2', '1', '60'])
  assert.deepEqual((await call()).shown, ['2', '0', '60'])
  const refused = await call()
  assert.equal(refused.status, 429)
  assert.deepEqual(refused.shown.slice(0, 2), ['2', '0'])
  assert.equal(refused.wait, refused.shown[2])
  assert.equal(JSON.parse(refused.body).error.code, 'rate_limited')
  assert.equal((await call('b')).status, 200, 'another caller has a count of its own')
})

test('the count begins anew after a minute', async (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_000_000 })
  const limits = createLimits(1)
  const reply = { headers: () => {}, getHeader: () => undefined } as never
  const check = () => limits.check(reply, { name: 'calls', key: 'a', perMinute: 1 })
  await check()
  t.mock.timers.tick(59_000)
  await assert.rejects(check(), { code: 'rate_limited', retryAfter: 1 })
  t.mock.timers.tick(1_000)
  await check()
})

test('the factor multiplies, never below one call; 0 turns the limits off', async (t) => {
  const limit = (key: string) => [{ name: 'calls', key, perMinute: 3 }]
  assert.deepEqual((await (await aServer(t, createLimits(10), limit))()).shown, ['30', '29', '60'])
  assert.deepEqual((await (await aServer(t, createLimits(0.01), limit))()).shown, ['1', '0', '60'])
  const free = await aServer(t, createLimits(0), limit)
  for (let turn = 0; turn < 10; turn++) assert.equal((await free()).status, 200)
  assert.deepEqual((await free()).shown, [undefined, undefined, undefined])
})

test('of several limits on one answer the one nearest to its end is shown', async (t) => {
  const call = await aServer(t, createLimits(1), (key) => [
    { name: 'address', key, perMinute: 5 },
    { name: 'account', key: 'all', perMinute: 100 },
  ])
  assert.deepEqual((await call()).shown, ['5', '4', '60'])
  const tight = await aServer(t, createLimits(1), (key) => [
    { name: 'address', key, perMinute: 5 },
    { name: 'account', key: 'all', perMinute: 1 },
  ])
  await tight('a')
  const refused = await tight('b')
  assert.equal(refused.status, 429)
  assert.deepEqual(refused.shown.slice(0, 2), ['1', '0'])
})

test('callers beyond those that fit share counts, so that made-up addresses take no memory', async (t) => {
  const call = await aServer(t, createLimits(1, 10), (key) => [{ name: 'calls', key, perMinute: 5 }])
  assert.equal((await call('first')).status, 200)
  const strangers = await Promise.all(Array.from({ length: 8_000 }, (_, index) => call(`stranger ${index}`)))
  const refused = strangers.filter(({ status }) => status === 429).length
  assert.ok(refused > 1_000, `${refused} of the strangers were refused`)
  assert.deepEqual((await call('first')).shown.slice(0, 2), ['5', '3'], 'who was there first keeps a count of its own')
})

test('the addresses of one IPv6 network count as one caller', async (t) => {
  const call = await aServer(t, createLimits(1), (key) => [{ name: 'calls', key, perMinute: 2 }])
  await call('2001:db8:1:2::1')
  await call('2001:db8:1:2:ffff::9')
  assert.equal((await call('2001:db8:1:2:abcd::')).status, 429)
  assert.equal((await call('2001:db8:1:3::1')).status, 200)
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1')
  for (const other of ['192.0.2.1', 'acc:ount', 'all', '']) assert.equal(networkOf(other), other)
})
