import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFailures, nextState, parseRetryAfter } from './schedule.ts'

const now = new Date('2026-03-09T12:00:00.000Z')
const failed = { code: 503, durationMs: 1, answer: '' }
const waitAfter = (tries: number, random: number, outcome: object = {}) => {
  const { state, nextAt } = nextState({ ...failed, ...outcome }, tries, now, () => random)
  return nextAt ? nextAt.getTime() - now.getTime() : state
}

test('there are ten attempts, with waits from five seconds to a day, each varied by a tenth', () => {
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440]
  for (const [index, wait] of minutes.entries()) {
    const ms = wait * 60_000
    assert.equal(waitAfter(index + 1, 0.5), Math.round(ms))
    assert.ok(Math.abs((waitAfter(index + 1, 0) as number) - 0.9 * ms) <= 1)
    assert.ok(Math.abs((waitAfter(index + 1, 0.9999999) as number) - 1.1 * ms) <= 10)
  }
  assert.equal(waitAfter(10, 0.5), 'failed')
})

test('every 2xx response delivers; redirects, errors and timeouts do not', () => {
  for (const code of [200, 201, 204, 299]) assert.equal(waitAfter(1, 0, { code }), 'delivered')
  for (const code of [199, 300, 301, 302, 400, 404, 429, 500, 599, null])
    assert.equal(waitAfter(1, 0.5, { code }), 5000)
  assert.equal(waitAfter(1, 0, { code: 410 }), 'failed')
})

test('a receiver that asks for more time gets it, up to a day, and never less than the schedule', () => {
  assert.equal(waitAfter(1, 0.5, { retryAfterMs: 60_000 }), 60_000)
  assert.equal(waitAfter(2, 0.5, { retryAfterMs: 60_000 }), 300_000)
  for (const [tries, wait] of [60_000, 60_000, 60_000, 60_000, 18_000_000].entries())
    assert.equal(waitAfter(tries + 1, 0.5, { code: 429, retryAfterMs: 60_000 }), wait)
  assert.equal(waitAfter(2, 0.5, { code: 429, retryAfterMs: 1000 }), 5000)
  assert.equal(waitAfter(2, 0.5, { code: 429 }), 300_000)
  assert.equal(parseRetryAfter('120', now), 120_000)
  assert.equal(parseRetryAfter('0.25', now), 250)
  assert.equal(parseRetryAfter('Mon, 09 Mar 2026 12:10:00 GMT', now), 600_000)
  assert.equal(parseRetryAfter('999999999', now), 86_400_000)
  for (const wrong of [undefined, '', 'soon', '-5', '0', '.5', '1.', 'Mon, 09 Mar 2026 11:00:00 GMT', '1e9'])
    assert.equal(parseRetryAfter(wrong, now), undefined, wrong)
})

test('consecutive failures are counted in order; a success resets the count', () => {
  const outcomes = (codes: string) =>
    [...codes].map((sign) => ({ code: sign === '.' ? 200 : sign === 'x' ? 500 : 410 }))
  assert.deepEqual(countFailures(3, outcomes('xx')), { failures: 5, reached: [5], off: null })
  assert.deepEqual(countFailures(3, outcomes('x.x')), { failures: 1, reached: [], off: null })
  assert.deepEqual(countFailures(0, outcomes('x'.repeat(12))), { failures: 12, reached: [5, 10], off: null })
  assert.deepEqual(countFailures(14, outcomes('x'.repeat(6))), { failures: 20, reached: [15], off: 'failing' })
  assert.deepEqual(countFailures(19, outcomes('.')), { failures: 0, reached: [], off: null })
  assert.deepEqual(countFailures(0, outcomes('g')), { failures: 1, reached: [], off: 'gone' })
})
