import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addMonths,
  comparedWith,
  inOrder,
  paramsOf,
  periodEnd,
  periodOf,
  type RangeChoice,
  rangeIn,
  rangeOf,
  weeksOf,
} from './ranges.ts'

const today = '2026-11-20'

for (const [choice, from, to] of [
  ['last-7-days', '2026-11-14', today],
  ['last-month', '2026-10-01', '2026-10-31'],
  ['last-3-months', '2026-08-21', today],
  ['last-quarter', '2026-07-01', '2026-09-30'],
  ['last-6-months', '2026-05-21', today],
  ['last-year', '2025-01-01', '2025-12-31'],
  ['month-to-date', '2026-11-01', today],
  ['quarter-to-date', '2026-10-01', today],
  ['year-to-date', '2026-01-01', today],
] as const) {
  test(`${choice} on November 20th, 2026 is ${from} to ${to}`, () => {
    assert.deepEqual(rangeOf(choice, today), { from, to })
  })
}

test('in January the month and the quarter before lie in the last year', () => {
  assert.deepEqual(rangeOf('last-month', '2026-01-05'), { from: '2025-12-01', to: '2025-12-31' })
  assert.deepEqual(rangeOf('last-quarter', '2026-02-28'), { from: '2025-10-01', to: '2025-12-31' })
  assert.deepEqual(rangeOf('quarter-to-date', '2026-01-01'), { from: '2026-01-01', to: '2026-01-01' })
})

test('the address chooses; what makes no sense is the last six months', () => {
  assert.equal(rangeIn({}, today).choice, 'last-6-months')
  assert.equal(rangeIn({ range: 'last-year' }, today).from, '2025-01-01')
  assert.deepEqual(rangeIn({ from: '2026-10-12', to: '2026-11-13' }, today), {
    from: '2026-10-12',
    to: '2026-11-13',
    choice: 'custom',
  })
  assert.equal(rangeIn({ from: '2026-11-13', to: '2026-10-12' }, today).from, '2026-10-12')
  for (const wrong of [
    { range: 'custom' },
    { range: 'soon' },
    { from: '2026-02-30', to: today },
    { from: '0001-01-01', to: today },
  ]) {
    assert.equal(rangeIn(wrong, today).choice, 'last-6-months')
  }
})

test('the default needs no word in the address', () => {
  assert.deepEqual(paramsOf('last-6-months'), { range: undefined, from: undefined, to: undefined })
  assert.deepEqual(paramsOf({ from: '2026-10-12', to: '2026-11-13' }), {
    range: undefined,
    from: '2026-10-12',
    to: '2026-11-13',
  })
})

test('days, weeks or months by the length of the range', () => {
  assert.equal(periodOf({ from: '2026-10-01', to: '2026-10-31' }), 'day')
  assert.equal(periodOf({ from: '2026-10-01', to: '2026-11-01' }), 'week')
  assert.equal(periodOf({ from: '2026-08-01', to: '2026-10-31' }), 'week')
  assert.equal(periodOf({ from: '2026-08-01', to: '2026-11-01' }), 'month')
})

for (const [what, choice, on, from, to] of [
  ['the same days of the month before', 'month-to-date', today, '2026-10-01', '2026-10-20'],
  ['the same days, as far as that month has them', 'month-to-date', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['the same days of the month before, not the whole', 'month-to-date', '2026-11-30', '2026-10-01', '2026-10-30'],
  ['the same days of the quarter before', 'quarter-to-date', today, '2026-07-01', '2026-08-20'],
  ['the same days of the year before', 'year-to-date', today, '2025-01-01', '2025-11-20'],
  ['the same days of a year without a leap day', 'year-to-date', '2028-02-29', '2027-01-01', '2027-02-28'],
  ['the month before', 'last-month', today, '2026-09-01', '2026-09-30'],
  ['the month before, in the year before', 'last-month', '2026-02-10', '2025-12-01', '2025-12-31'],
  ['the quarter before', 'last-quarter', today, '2026-04-01', '2026-06-30'],
  ['the year before', 'last-year', today, '2024-01-01', '2024-12-31'],
  ['as many days just before', 'last-7-days', today, '2026-11-07', '2026-11-13'],
  ['as many days just before', 'last-6-months', today, '2025-11-18', '2026-05-20'],
] as const)
  test(`${choice} on ${on} is compared with ${what}`, () => {
    assert.deepEqual(comparedWith({ choice, ...rangeOf(choice, on) }), { from, to })
  })

test('days chosen by hand are compared with as many before, whole calendar periods with such', () => {
  const chosen = (from: string, to: string) => {
    const before = comparedWith({ choice: 'custom' as RangeChoice, from, to })
    return [before.from, before.to]
  }
  assert.deepEqual(chosen('2026-10-12', '2026-11-13'), ['2026-09-09', '2026-10-11'])
  assert.deepEqual(chosen('2026-10-01', '2026-10-31'), ['2026-09-01', '2026-09-30'])
  assert.deepEqual(chosen('2026-02-01', '2026-04-30'), ['2025-11-04', '2026-01-31'])
  assert.deepEqual(chosen('2026-04-01', '2026-06-30'), ['2026-01-01', '2026-03-31'])
  assert.deepEqual(chosen('2025-01-01', '2025-12-31'), ['2024-01-01', '2024-12-31'])
})

test('a period ends with its last day, whatever part of it the range has', () => {
  assert.equal(periodEnd('2026-11-20', 'day'), '2026-11-20')
  assert.equal(periodEnd('2026-11-16', 'week'), '2026-11-22')
  assert.equal(periodEnd('2026-11-18', 'week'), '2026-11-22')
  assert.equal(periodEnd('2026-11-22', 'week'), '2026-11-22')
  assert.equal(periodEnd('2026-05-21', 'month'), '2026-05-31')
})

test('months keep the day where they have it', () => {
  assert.equal(addMonths('2026-03-31', -1), '2026-02-28')
  assert.equal(addMonths('2024-01-31', 1), '2024-02-29')
  assert.equal(addMonths('2026-11-20', 3), '2027-02-20')
  assert.deepEqual(inOrder('2026-02-02', '2026-01-01'), { from: '2026-01-01', to: '2026-02-02' })
})

test('a month is whole weeks from Sunday', () => {
  const weeks = weeksOf('2026-11-01')
  assert.deepEqual(weeks[0], [
    '2026-11-01',
    '2026-11-02',
    '2026-11-03',
    '2026-11-04',
    '2026-11-05',
    '2026-11-06',
    '2026-11-07',
  ])
  assert.deepEqual(weeks.at(-1), ['2026-11-29', '2026-11-30', null, null, null, null, null])
  assert.equal(weeksOf('2026-10-01')[0]?.indexOf('2026-10-01'), 4)
})

test('days that no statistics have stand for nothing', () => {
  const choice = (from: string, to: string) => rangeIn({ from, to }, '2026-11-20').choice
  assert.equal(choice('1990-01-01', '1999-12-28'), 'custom')
  for (const [from, to] of [
    ['0000-01-01', '0000-02-01'],
    ['0001-01-01', '0001-01-31'],
    ['1900-01-01', '1900-01-31'],
    ['9999-12-01', '9999-12-31'],
    ['1990-01-01', '2026-01-01'],
  ] as const)
    assert.equal(choice(from, to), 'last-6-months', from)
})
