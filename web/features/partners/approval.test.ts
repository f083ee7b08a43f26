import assert from 'node:assert/strict'
import { test } from 'node:test'
import { yearsShown } from './approval.ts'

test('this year can be approved; the next from December on, the last if it was approved', () => {
  assert.deepEqual(yearsShown([], '2026-11-30'), [2026])
  assert.deepEqual(yearsShown([2024, 2025], '2026-03-01'), [2026, 2025])
  assert.deepEqual(yearsShown([2026], '2026-12-01'), [2027, 2026])
  assert.deepEqual(yearsShown([2027], '2026-12-01'), [2027, 2026])
})
