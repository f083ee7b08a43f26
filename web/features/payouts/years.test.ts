import assert from 'node:assert/strict'
import { test } from 'node:test'
import { yearIn, yearsOffered, yearToPrepare } from './years.ts'

test('the next year is prepared in December', () => {
  assert.equal(yearToPrepare('2026-11-30'), null)
  assert.equal(yearToPrepare('2026-12-01'), 2027)
  assert.equal(yearToPrepare('2027-01-01'), null)
})

test('an address without a valid report year shows this year', () => {
  assert.equal(yearIn('2024', '2026-11-21'), 2024)
  assert.equal(yearIn('2027', '2026-11-21'), 2027)
  for (const none of [undefined, '', '2028', '1999', '20260', 'abc', ' 2024', 2024])
    assert.equal(yearIn(none, '2026-11-21'), 2026)
})

test('ten years are offered, the next in December, and the chosen one however distant', () => {
  assert.deepEqual(yearsOffered(2026, '2026-11-21'), [2026, 2025, 2024, 2023, 2022, 2021, 2020, 2019, 2018, 2017])
  assert.equal(yearsOffered(2026, '2026-12-01')[0], 2027)
  assert.equal(yearsOffered(2027, '2026-11-21')[0], 2027)
  assert.equal(yearsOffered(2001, '2026-11-21').at(-1), 2001)
})
