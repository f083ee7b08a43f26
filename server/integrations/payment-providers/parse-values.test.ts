import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseText } from './parse-values.ts'

test('text ends before a character that does not fit as a whole', () => {
  assert.equal(parseText('Plan 😀', 7), 'Plan 😀')
  assert.equal(parseText('Plan 😀', 6), 'Plan ')
  assert.equal(parseText('😀', 1), null)
  assert.equal(parseText('Plan \ud83d', 20), 'Plan �')
})
