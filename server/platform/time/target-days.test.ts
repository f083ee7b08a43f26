import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { targetDayFrom } from './target-days.ts'

test('a wished day moves to the next one on which the euro system works', async () => {
  const table = await readFile(new URL('../../../test/fixtures/banks/execution-days.tsv', import.meta.url), 'utf8')
  const rows = table.trim().split('\n').slice(1)
  assert.equal(rows.length, 12)
  for (const row of rows) {
    const [, wished, carriedOut, why] = row.split('\t')
    assert.equal(targetDayFrom(wished!), carriedOut, why)
  }
})
