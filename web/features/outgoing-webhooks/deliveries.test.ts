import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wasNotSent } from './deliveries.ts'

const delivery = (state: 'pending' | 'delivered' | 'retrying' | 'failed', attempts: number) =>
  ({ state, attempts }) as Parameters<typeof wasNotSent>[0]

test('a delivery without an attempt was not sent, if its webhook was or is disabled', () => {
  assert.equal(wasNotSent(delivery('failed', 0), { enabled: false }), true)
  assert.equal(wasNotSent(delivery('failed', 0), { enabled: true }), true)
  assert.equal(wasNotSent(delivery('pending', 0), { enabled: false }), true)
})

test('a delivery that waits for its turn, or was attempted, keeps its state', () => {
  assert.equal(wasNotSent(delivery('pending', 0), { enabled: true }), false)
  assert.equal(wasNotSent(delivery('failed', 1), { enabled: false }), false)
  assert.equal(wasNotSent(delivery('pending', 3), { enabled: false }), false)
})
