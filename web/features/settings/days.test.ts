import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, hourIn } from '#contract/days.ts'
import { nextRunDay } from './days.ts'

test('days are counted across months and the end of daylight saving time', () => {
  assert.equal(addDays('2026-10-20', 30), '2026-11-19')
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.equal(addDays('2028-02-28', 0), '2028-02-28')
})

test('the next automatic run is at six, in the account’s time zone', () => {
  assert.equal(hourIn('America/New_York', new Date('2026-11-20T04:30:00Z')), 23)
  assert.equal(hourIn('UTC', new Date('2026-11-20T00:30:00Z')), 0)
  assert.equal(nextRunDay('2026-11-20', 5, true), '2026-11-20')
  assert.equal(nextRunDay('2026-11-20', 5, false), '2026-11-20')
  assert.equal(nextRunDay('2026-11-20', 6, true), '2026-11-21')
  assert.equal(nextRunDay('2026-11-20', 6, false), null, 'it runs as soon as it is switched on')
})
