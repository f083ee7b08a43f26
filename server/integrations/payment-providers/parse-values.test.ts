import assert from 'node:assert/strict'
import { test } from 'node:test'
import { text } from './parse-values.ts'

test('text ends before a character that does not fit as a whole', () => {
  assert.equal(text('Plan 😀', 7), 'Plan 😀')
  assert.equal(text('Plan 😀', 6), 'Plan ')
  assert.equal(text('😀', 1), null)
  assert.equal(text('Plan \ud83d', 20), 'Plan �')
})
