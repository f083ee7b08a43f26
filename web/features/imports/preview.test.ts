import assert from 'node:assert/strict'
import { test } from 'node:test'
import { truncateToHead } from './preview.ts'

test('the head of a long file is not cut within a character', () => {
  const csv = `email\n${'a'.repeat(99_993)}😀😀\n`
  assert.ok(truncateToHead(csv).isWellFormed())
  assert.equal(truncateToHead(csv).length, 99_999)
})
