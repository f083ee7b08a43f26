import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withLanguage } from '#contract/language.ts'
import { minorDigits } from '#contract/money.ts'
import { chooseLabels, compactMoney, MOST_TICKS, periodName, periodTick, ticksFor, toSpans } from './chart-scale.ts'

test('ticks are round and cover the values', () => {
  assert.deepEqual(ticksFor([48, 275, 88], MOST_TICKS.barY, { counts: true }), [0, 75, 150, 225, 300])
  assert.deepEqual(ticksFor([34_260], MOST_TICKS.lineY), [0, 10_000, 20_000, 30_000, 40_000])
  assert.deepEqual(ticksFor([-120, 300], MOST_TICKS.lineY), [-200, -100, 0, 100, 200, 300])
  assert.deepEqual(ticksFor([1], MOST_TICKS.barY, { counts: true }), [0, 1])
  assert.deepEqual(ticksFor([-3_000_000_000_000, 10 ** 12], MOST_TICKS.lineY)[0], -3_000_000_000_000)
})

test('a loss too small to see adds no tick below zero', () => {
  assert.deepEqual(ticksFor([-20.6, 34_260], MOST_TICKS.lineY), [0, 10_000, 20_000, 30_000, 40_000])
  assert.equal(ticksFor([-2_000, 34_260], MOST_TICKS.lineY)[0], -10_000)
})

test('with only zeros there is no axis, just a zero', () => {
  assert.deepEqual(ticksFor([0, 0], MOST_TICKS.barY, { counts: true }), [0])
  assert.deepEqual(ticksFor([], MOST_TICKS.lineY), [0])
})

test('the ticks never exceed the limit, and always include zero', () => {
  for (let power = -2; power < 13; power += 1) {
    for (const digit of [1, 1.01, 1.9, 2.6, 3.3, 4.99, 5.01, 7.7, 9.99]) {
      for (const limit of [MOST_TICKS.barY, MOST_TICKS.lineY]) {
        const value = digit * 10 ** power
        const ticks = ticksFor([value], limit, { unit: 0.01 })
        assert.ok(ticks.length <= limit && ticks.length >= 2, `${value}: ${ticks}`)
        assert.ok(ticks.includes(0) && ticks.at(-1)! >= value, `${value}: ${ticks}`)
        const both = ticksFor([value, -value / 3], limit, { unit: 0.01 })
        assert.ok(both.length <= limit && both.includes(0) && both[0]! <= -value / 3, `${value}: ${both}`)
      }
    }
  }
})

test('the bars have at most twelve labels, including the first', () => {
  for (let count = 1; count <= 121; count += 1) {
    const at = chooseLabels(count, MOST_TICKS.barX)
    assert.equal(at[0], 0)
    assert.ok(at.length <= 12)
  }
  assert.deepEqual(chooseLabels(7, 12), [0, 1, 2, 3, 4, 5, 6])
})

test('currency axes are compact', () => {
  assert.equal(compactMoney(1200, 'usd', 200), '$1.2K')
  assert.equal(compactMoney(0, 'usd', 200), '$0')
  assert.equal(compactMoney(40_000, 'usd', 10_000), '$40K')
  assert.equal(compactMoney(-1500, 'usd', 500), '-$1.5K')
  assert.equal(compactMoney(0.25, 'usd', 0.25), '$0.25')
  assert.equal(compactMoney(2_000_000, 'jpy', 500_000), '¥2M')
})

/** Parses a label as a reader would. */
function readBack(label: string) {
  const [, sign, digits, unit = ''] = /^(-?)[^\d-]*([\d.]+)([KMBT]?)$/.exec(label) ?? []
  return Number(`${sign}${digits}`) * { '': 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12 }[unit]!
}

test('a currency tick shows its exact value', () => {
  for (const currency of ['usd', 'eur', 'jpy', 'kwd', 'chf', 'brl', 'inr']) {
    const unit = 10 ** -minorDigits(currency)
    for (let power = -minorDigits(currency); power < 13; power += 1)
      for (const digit of [1, 1.2, 1.25, 1.9, 2.6, 3.3, 4.99, 6.25, 7.5, 9.99]) {
        const value = digit * 10 ** power
        for (const values of [[value], [value, -value / 3], [-value]]) {
          const ticks = ticksFor(values, MOST_TICKS.lineY, { unit })
          const labels = ticks.map((tick) => compactMoney(tick, currency, ticks[1]! - ticks[0]!))
          for (const [at, tick] of ticks.entries()) {
            assert.ok(
              Math.abs(readBack(labels[at]!) - tick) <= Math.abs(tick) * 1e-9,
              `${labels[at]} stands at ${tick}`,
            )
            assert.ok(Number.isInteger(Number((tick / unit).toPrecision(12))), `no amount is ${labels[at]}`)
          }
          assert.equal(new Set(labels).size, ticks.length)
        }
      }
  }
  assert.equal(compactMoney(1250, 'usd', 250), '$1.25K')
  // German has no short form of thousands
  assert.equal(
    withLanguage('de', () => compactMoney(2500, 'usd', 500)),
    '2.500\u00a0$',
  )
})

test('periods have short names on the axis and full ones beside it', () => {
  assert.equal(periodTick('2026-10-01', 'month', 7), 'Oct')
  assert.equal(periodTick('2026-10-01', 'month', 24), 'Oct 26')
  assert.equal(periodTick('2026-05-21', 'month', 7), 'May 21')
  assert.equal(periodTick('2026-11-13', 'day', 30), 'Nov 13')
  assert.equal(periodName('2026-10-01', 'month'), 'Oct 2026')
  assert.equal(periodName('2026-11-13', 'week'), 'Nov 13, 2026')
})

test('a period is cut by the range, complete, in progress or in the future', () => {
  const describeSpans = (startDate: string, endDate: string, period: 'day' | 'week' | 'month', dates: string[]) =>
    toSpans({ startDate, endDate, period, deltas: dates.map((date) => ({ date })) }, '2026-11-20').map(
      ({ date, end, cut, open, future }) =>
        [date.slice(5), end.slice(5), cut && 'cut', open && 'open', future && 'future'].filter(Boolean).join(' '),
    )
  assert.deepEqual(describeSpans('2026-08-21', '2026-11-20', 'month', ['2026-08-21', '2026-09-01', '2026-11-01']), [
    '08-21 08-31 cut',
    '09-01 09-30',
    '11-01 11-20 open',
  ])
  assert.deepEqual(describeSpans('2026-06-01', '2026-12-31', 'month', ['2026-06-01', '2026-11-01', '2026-12-01']), [
    '06-01 06-30',
    '11-01 11-30 open',
    '12-01 12-31 future',
  ])
  // the range ends there, so the period counts as over
  assert.deepEqual(describeSpans('2026-06-01', '2026-11-10', 'month', ['2026-11-01']), ['11-01 11-10 cut'])
  assert.deepEqual(describeSpans('2026-10-01', '2026-11-20', 'week', ['2026-10-01', '2026-10-05', '2026-11-16']), [
    '10-01 10-04 cut',
    '10-05 10-11',
    '11-16 11-20 open',
  ])
  assert.deepEqual(describeSpans('2026-11-19', '2026-11-21', 'day', ['2026-11-19', '2026-11-20', '2026-11-21']), [
    '11-19 11-19',
    '11-20 11-20 open',
    '11-21 11-21 future',
  ])
})
