import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDaysAfter } from './business-days.ts'

test('five business days pass over the weekend', () => {
  const after = (at: string) => businessDaysAfter(new Date(at), 5).toISOString()
  assert.equal(after('2026-11-20T15:00:00.000Z'), '2026-11-27T15:00:00.000Z', 'from a Friday')
  assert.equal(after('2026-11-21T15:00:00.000Z'), '2026-11-27T15:00:00.000Z', 'from a Saturday')
  assert.equal(after('2026-11-23T15:00:00.000Z'), '2026-11-30T15:00:00.000Z', 'from a Monday')
  assert.equal(after('2026-12-28T00:00:00.000Z'), '2027-01-04T00:00:00.000Z', 'over the turn of the year')
})
