import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paidAt, paidOn } from './payment-time.ts'

const minutes = (from: string, later: number) => new Date(Date.parse(from) + later * 60_000).toISOString()

test('a payment comes after what was referred by its day’s end, and today’s after what clocks ahead of ours say', () => {
  const now = '2026-11-26T22:57:30.000Z'
  const on = (day: string) => {
    const { at, referredBy } = paidOn(day, 'Europe/Berlin', new Date(now))
    return [at.toISOString(), referredBy.toISOString()]
  }
  assert.equal(paidAt(new Date(now)).referredBy.toISOString(), minutes(now, 5))
  assert.deepEqual(on('2026-11-25'), ['2026-11-25T22:59:59.999Z', '2026-11-25T22:59:59.999Z'])
  // two minutes before midnight in Berlin
  assert.deepEqual(on('2026-11-26'), [now, minutes(now, 5)])
  assert.deepEqual(on('2026-11-27'), [now, '2026-11-27T22:59:59.999Z'])
})
