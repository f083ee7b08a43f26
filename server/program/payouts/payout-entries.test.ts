import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wrongState } from './payout-entries.ts'

test('a state that forbids something is told in words, and kept beside them as it is', () => {
  const { message, details } = wrongState('awaiting-funding', 'payout_not_approvable')
  assert.equal(message, 'A payout that is awaiting funding can’t be approved.')
  assert.deepEqual(details, { status: 'awaiting-funding' })
})
