import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importPreview } from './preview.ts'

test('the head of a long file is not cut within a character', () => {
  const csv = `email\n${'a'.repeat(99_993)}😀😀\n`
  const [, , asked] = importPreview('a1', csv, {}).queryKey as unknown as [string, object, { csv: string }]
  assert.ok(asked.csv.isWellFormed())
  assert.equal(asked.csv.length, 99_999)
})
