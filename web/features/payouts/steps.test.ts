import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payout } from '#contract/payouts.ts'
import { stepsOf } from './steps.ts'

const payout = (fields: Partial<Payout>) => ({
  status: 'due' as const,
  method: 'wise' as const,
  blockers: [],
  periodStart: '2026-10-08',
  createdAt: '2026-11-07T05:00:00.000Z',
  approvedAt: null,
  sentAt: null,
  paidAt: null,
  updatedAt: '2026-11-12T05:00:00.000Z',
  ...fields,
})

const states = (fields: Partial<Payout>) =>
  Object.fromEntries(stepsOf(payout(fields)).map(({ name, state }) => [name, state]))

test('a blocked payout waits for its approval, a due one is there now', () => {
  const before = { open: 'done', due: 'done', sent: 'ahead', paid: 'ahead' }
  assert.deepEqual(states({ status: 'open' }), { ...before, approved: 'waits' })
  assert.deepEqual(states({ status: 'due' }), { ...before, approved: 'now' })
})

test('one that failed stops where the money should have left, one that bounced where it should have arrived', () => {
  const approvedAt = '2026-11-08T05:00:00.000Z'
  assert.equal(states({ status: 'failed', approvedAt }).sent, 'failed')
  assert.equal(states({ status: 'awaiting-funding', approvedAt }).sent, 'waits')
  const returned = stepsOf(payout({ status: 'returned', approvedAt, sentAt: approvedAt }))
  assert.deepEqual(returned.at(-1), { name: 'paid', state: 'failed', at: '2026-11-12T05:00:00.000Z' })
})

test('one paid by hand is never sent; every step of a paid one is done', () => {
  const paidAt = '2026-11-09T05:00:00.000Z'
  assert.deepEqual(states({ status: 'paid', method: 'manual', approvedAt: paidAt, paidAt }), {
    open: 'done',
    due: 'done',
    approved: 'done',
    paid: 'done',
  })
  assert.deepEqual(states({ status: 'approved', method: 'manual', approvedAt: paidAt }).paid, 'now')
})

test('one canceled before its approval stops there', () => {
  assert.equal(states({ status: 'canceled' }).approved, 'failed')
  assert.equal(states({ status: 'canceled', approvedAt: '2026-11-08T05:00:00.000Z' }).sent, 'failed')
})
