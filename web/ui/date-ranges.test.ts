import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { todayIn } from '../format.ts'
import {
  addMonths,
  type ChosenRange,
  choosePeriod,
  comparedWith,
  inOrder,
  listWeeks,
  periodEnd,
  rangeChoices,
  rangeIn,
  toParams,
  toRange,
} from './date-ranges.ts'

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
    assert.deepEqual(toRange(choice, today), { from, to })
  })
}

test('in January the previous month and quarter are in the previous year', () => {
  assert.deepEqual(toRange('last-month', '2026-01-05'), { from: '2025-12-01', to: '2025-12-31' })
  assert.deepEqual(toRange('last-quarter', '2026-02-28'), { from: '2025-10-01', to: '2025-12-31' })
  assert.deepEqual(toRange('quarter-to-date', '2026-01-01'), { from: '2026-01-01', to: '2026-01-01' })
})

test('the address chooses; an invalid one means the last six months', () => {
  assert.equal(rangeIn({}, today).choice, 'last-6-months')
  assert.equal(rangeIn({ range: 'last-year' }, today).from, '2025-01-01')
  assert.deepEqual(rangeIn({ from: '2026-10-12', to: '2026-11-13' }, today), {
    from: '2026-10-12',
    to: '2026-11-13',
    choice: 'custom',
    today,
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

test('the default range needs no parameter', () => {
  assert.deepEqual(toParams('last-6-months'), { range: undefined, from: undefined, to: undefined })
  assert.deepEqual(toParams({ from: '2026-10-12', to: '2026-11-13' }), {
    range: undefined,
    from: '2026-10-12',
    to: '2026-11-13',
  })
})

test('days, weeks or months by the length of the range', () => {
  assert.equal(choosePeriod({ from: '2026-10-01', to: '2026-10-31' }), 'day')
  assert.equal(choosePeriod({ from: '2026-10-01', to: '2026-11-01' }), 'week')
  assert.equal(choosePeriod({ from: '2026-08-01', to: '2026-10-31' }), 'week')
  assert.equal(choosePeriod({ from: '2026-08-01', to: '2026-11-01' }), 'month')
})

for (const [what, choice, on, from, to] of [
  ['the same days of the previous month', 'month-to-date', today, '2026-10-01', '2026-10-20'],
  ['the same days that the previous month has', 'month-to-date', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['the same days of the previous month, not all of it', 'month-to-date', '2026-11-30', '2026-10-01', '2026-10-30'],
  ['the same days of the previous quarter', 'quarter-to-date', today, '2026-07-01', '2026-08-20'],
  ['the same days of the previous year', 'year-to-date', today, '2025-01-01', '2025-11-20'],
  ['the same days of a previous year without a leap day', 'year-to-date', '2028-02-29', '2027-01-01', '2027-02-28'],
  ['the previous month', 'last-month', today, '2026-09-01', '2026-09-30'],
  ['the previous month, in the previous year', 'last-month', '2026-02-10', '2025-12-01', '2025-12-31'],
  ['the previous quarter', 'last-quarter', today, '2026-04-01', '2026-06-30'],
  ['the previous year', 'last-year', today, '2024-01-01', '2024-12-31'],
  ['as many days immediately before', 'last-7-days', today, '2026-11-07', '2026-11-13'],
  ['as many days immediately before', 'last-6-months', today, '2025-11-18', '2026-05-20'],
] as const)
  test(`${choice} on ${on} is compared with ${what}`, () => {
    assert.deepEqual(comparedWith({ choice, ...toRange(choice, on), today: on }), { from, to })
  })

test('custom ranges are compared with as many days before, whole calendar periods with the previous period', () => {
  const chosen = (from: string, to: string) => {
    const before = comparedWith({ choice: 'custom', from, to, today })
    return [before.from, before.to]
  }
  assert.deepEqual(chosen('2026-10-12', '2026-11-13'), ['2026-09-09', '2026-10-11'])
  assert.deepEqual(chosen('2026-10-01', '2026-10-31'), ['2026-09-01', '2026-09-30'])
  assert.deepEqual(chosen('2026-02-01', '2026-04-30'), ['2025-11-04', '2026-01-31'])
  assert.deepEqual(chosen('2026-04-01', '2026-06-30'), ['2026-01-01', '2026-03-31'])
  assert.deepEqual(chosen('2025-01-01', '2025-12-31'), ['2024-01-01', '2024-12-31'])
})

test('unfinished custom ranges are compared with the same part of the previous days', () => {
  const chosen = (from: string, to: string) => {
    const before = comparedWith({ choice: 'custom', from, to, today })
    return [before.from, before.to]
  }
  assert.deepEqual(chosen('2026-11-01', '2026-11-30'), ['2026-10-01', '2026-10-20'])
  assert.deepEqual(chosen('2026-10-01', '2026-12-31'), ['2026-07-01', '2026-08-20'])
  assert.deepEqual(chosen('2026-01-01', '2026-12-31'), ['2025-01-01', '2025-11-20'])
  assert.deepEqual(chosen('2026-11-11', '2026-11-30'), ['2026-10-22', '2026-10-31'])
  assert.deepEqual(chosen('2026-12-01', '2026-12-31'), ['2026-11-01', '2026-11-30'])
})

/** A calendar built day by day, to check the arithmetic against. */
function calendar() {
  const days: { date: string; year: number; month: number; day: number }[] = []
  for (const at = new Date('2018-01-01T00:00:00Z'); at.getUTCFullYear() < 2034; at.setUTCDate(at.getUTCDate() + 1))
    days.push({
      date: at.toISOString().slice(0, 10),
      year: at.getUTCFullYear(),
      month: at.getUTCMonth(),
      day: at.getUTCDate(),
    })
  return days
}

test('every range on every day is compared according to the calendar', () => {
  const days = calendar()
  const at = new Map(days.map(({ date }, index) => [date, index]))
  const lengths = { month: 1, quarter: 3, year: 12 }
  /** The calendar period of a day, and the day's position in it: months, then days. */
  const periodOfDay = (one: (typeof days)[number], months: number) => `${one.year} ${Math.floor(one.month / months)}`
  const placeIn = (one: (typeof days)[number], months: number) => (one.month % months) * 100 + one.day
  const periods = Object.fromEntries(
    Object.values(lengths).map((months) => [months, Map.groupBy(days, (one) => periodOfDay(one, months))]),
  )
  const periodBefore = (date: string, months: number) => {
    const all = periods[months]!
    const own = all.get(periodOfDay(days[at.get(date)!]!, months))!
    const before = days[at.get(own[0]!.date)! - 1]!
    return { own, before: all.get(periodOfDay(before, months))! }
  }
  const ends = (some: { date: string }[]) => ({ from: some[0]!.date, to: some.at(-1)!.date })

  function model({ choice, from, to, today }: ChosenRange) {
    const part = (months: number, until: string) => {
      const most = placeIn(days[at.get(until)!]!, months)
      return ends(periodBefore(from, months).before.filter((one) => placeIn(one, months) <= most))
    }
    const running = from <= today && today <= to
    if (choice.endsWith('-to-date')) return part(lengths[choice.split('-')[0] as keyof typeof lengths], today)
    for (const months of Object.values(lengths)) {
      const { own, before } = periodBefore(from, months)
      if (ends(own).from !== from || ends(own).to !== to) continue
      return running ? part(months, today) : ends(before)
    }
    const [first, last] = [at.get(from)!, at.get(to)!]
    const count = last - first + 1
    const before = days.slice(first - count, first)
    return ends(running ? before.slice(0, at.get(today)! - first + 1) : before)
  }

  const some = days.slice(365 * 5, 365 * 14).map(({ date }) => date)
  for (const today of some)
    for (const choice of rangeChoices) {
      if (choice === 'custom') continue
      const range = { choice, ...toRange(choice, today), today }
      assert.deepEqual(comparedWith(range), model(range), `${choice} on ${today}`)
    }
  const place = fc.integer({ min: 365 * 5, max: 365 * 9 })
  const starts = days.filter(({ day }) => day === 1).map(({ date }) => date)
  const whole = fc.tuple(fc.integer({ min: 60, max: 120 }), fc.constantFrom(1, 3, 12)).map(([month, length]) => ({
    from: starts[month]!,
    to: days[at.get(starts[month + length]!)! - 1]!.date,
  }))
  const any = fc.tuple(place, fc.integer({ min: 0, max: 800 })).map(([first, length]) => ({
    from: days[first]!.date,
    to: days[first + length]!.date,
  }))
  const chosen = fc.record({ range: fc.oneof(whole, any), on: place })
  fc.assert(
    fc.property(chosen, ({ range, on }) => {
      const custom = { ...range, choice: 'custom' as const, today: days[on]!.date }
      assert.deepEqual(comparedWith(custom), model(custom))
    }),
    { numRuns: 3000, seed: 20_261_121 },
  )
})

test('today is the date in the account’s time zone, also when clocks change', () => {
  for (const [zone, at, day] of [
    ['America/New_York', '2026-03-08T04:59:59Z', '2026-03-07'],
    ['America/New_York', '2026-03-08T05:00:00Z', '2026-03-08'],
    ['America/New_York', '2026-03-09T03:59:59Z', '2026-03-08'],
    ['America/New_York', '2026-11-01T03:59:59Z', '2026-10-31'],
    ['America/New_York', '2026-11-02T04:59:59Z', '2026-11-01'],
    ['Australia/Lord_Howe', '2026-10-03T13:29:59Z', '2026-10-03'],
    ['Australia/Lord_Howe', '2026-10-03T13:30:00Z', '2026-10-04'],
    ['America/Santiago', '2026-09-06T03:59:59Z', '2026-09-05'],
    ['America/Santiago', '2026-09-06T04:00:00Z', '2026-09-06'],
    ['Asia/Kathmandu', '2026-12-31T18:15:00Z', '2027-01-01'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
    ['Pacific/Pago_Pago', '2027-01-01T10:59:59Z', '2026-12-31'],
  ] as const)
    assert.equal(todayIn(zone, new Date(at)), day, `${at} in ${zone}`)
})

test('a period ends with its last day, however much of it is in the range', () => {
  assert.equal(periodEnd('2026-11-20', 'day'), '2026-11-20')
  assert.equal(periodEnd('2026-11-16', 'week'), '2026-11-22')
  assert.equal(periodEnd('2026-11-18', 'week'), '2026-11-22')
  assert.equal(periodEnd('2026-11-22', 'week'), '2026-11-22')
  assert.equal(periodEnd('2026-05-21', 'month'), '2026-05-31')
})

test('months keep the day if they have it', () => {
  assert.equal(addMonths('2026-03-31', -1), '2026-02-28')
  assert.equal(addMonths('2024-01-31', 1), '2024-02-29')
  assert.equal(addMonths('2026-11-20', 3), '2027-02-20')
  assert.deepEqual(inOrder('2026-02-02', '2026-01-01'), { from: '2026-01-01', to: '2026-02-02' })
})

test('a month has whole weeks from Sunday', () => {
  const weeks = listWeeks('2026-11-01')
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
  assert.equal(listWeeks('2026-10-01')[0]?.indexOf('2026-10-01'), 4)
})

test('days outside all statistics choose no range', () => {
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
