import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withLanguage } from '#contract/language.ts'
import {
  formatAge,
  formatAgo,
  formatBytes,
  formatChange,
  formatDate,
  formatDateAt,
  formatDateRange,
  formatLongDateTime,
  formatMoney,
  formatRate,
  formatShortDate,
  formatShortDateTime,
  formatShortRange,
  formatTime,
  formatTimeWithSeconds,
  lastMonths,
  todayIn,
} from './format.ts'

test('money shows minor units by the currency, and the code only of a foreign one', () => {
  assert.equal(formatMoney(123_450, 'usd'), '$1,234.50')
  assert.equal(formatMoney(1234, 'jpy'), '¥1,234')
  assert.equal(formatMoney(-1200, 'usd'), '-$12.00')
  assert.equal(formatMoney(1200, 'eur', 'usd'), '€12.00 EUR')
  assert.equal(formatMoney(0, 'usd', 'USD'), '$0.00')
  assert.equal(formatMoney(540_000, 'aed', 'usd'), 'AED\u00a05,400.00')
})

test('file sizes use steps of a thousand', () => {
  assert.equal(formatBytes(0), '0 bytes')
  assert.equal(formatBytes(999), '999 bytes')
  assert.equal(formatBytes(1000), '1 kB')
  assert.equal(formatBytes(12_440_000), '12.4 MB')
  assert.equal(formatBytes(3_000_000_000_000), '3,000 GB')
})

test('rates keep four decimals and trim zeros', () => {
  assert.equal(formatRate(7.5), '7.5%')
  assert.equal(formatRate(20), '20%')
  assert.equal(formatRate(0.1234), '0.1234%')
})

test('a change is new from zero, shows the earlier amount below zero, and is empty without a change', () => {
  const words = { fromZero: 'new', fromBelow: 'from -$1.00' }
  assert.equal(formatChange(1124, 1000, words), '+12.4%')
  assert.equal(formatChange(969, 1000, words), '-3.1%')
  assert.equal(formatChange(-50, 100, words), '-150%')
  assert.equal(
    withLanguage('es', () => formatChange(13_523, 1000, words)),
    '+1.252,3\u00a0%',
  )
  assert.equal(formatChange(5, 0, words), 'new')
  assert.equal(formatChange(0, 0, words), null)
  for (const now of [50, 0, -50, -150]) assert.equal(formatChange(now, -100, words), 'from -$1.00')
})

test('dates do not move with the time zone', () => {
  assert.equal(formatDate('2024-01-01'), 'Jan 1, 2024')
  assert.equal(formatDateRange('2026-05-21', '2026-11-20'), 'May 21 – Nov 20, 2026')
  assert.equal(formatDateRange('2025-11-21', '2026-05-20'), 'Nov 21, 2025 – May 20, 2026')
  assert.equal(formatDateRange('2026-10-01', '2026-10-20'), 'Oct 1–20, 2026')
  assert.equal(formatDateRange('2026-10-01', '2026-10-01'), 'Oct 1, 2026')
  assert.equal(formatShortRange('2026-10-01', '2026-10-20', '2026-11-20'), 'Oct 1–20')
  assert.equal(formatShortRange('2026-08-21', '2026-11-20', '2026-11-20'), 'Aug 21 – Nov 20')
  assert.equal(formatShortRange('2026-11-19', '2026-11-19', '2026-11-20'), 'Nov 19')
  assert.equal(formatShortRange('2025-10-01', '2025-10-31', '2026-11-20'), 'Oct 1–31, 2025')
  assert.equal(formatShortRange('2025-11-21', '2026-05-20', '2026-11-20'), 'Nov 21, 2025 – May 20, 2026')
  assert.equal(formatShortRange('2024-11-21', '2025-05-20', '2026-11-20'), 'Nov 21, 2024 – May 20, 2025')
  assert.equal(formatShortRange('2024-05-21', '2026-05-20', '2026-11-20'), 'May 21, 2024 – May 20, 2026')
  assert.equal(todayIn('Asia/Tokyo', new Date('2026-11-20T18:00:00Z')), '2026-11-21')
  assert.equal(todayIn('America/New_York', new Date('2026-11-20T03:00:00Z')), '2026-11-19')
})

test('an instant is shown in the account’s time zone, its day in words', () => {
  assert.equal(formatLongDateTime('2024-01-01T20:00:00.000Z', 'America/New_York'), 'January 1st, 2024 at 3:00 pm')
  assert.equal(formatLongDateTime('2024-03-22T00:05:00.000Z', 'UTC'), 'March 22nd, 2024 at 12:05 am')
  assert.equal(formatLongDateTime('2024-03-11T12:00:00.000Z', 'UTC'), 'March 11th, 2024 at 12:00 pm')
  assert.equal(formatDateAt('2024-01-01T02:00:00.000Z', 'America/New_York'), 'Dec 31, 2023')
})

test('six months end today and start a day after the same day', () => {
  assert.deepEqual(lastMonths(6, '2026-11-20'), { from: '2026-05-21', to: '2026-11-20' })
  assert.deepEqual(lastMonths(6, '2026-08-31'), { from: '2026-03-01', to: '2026-08-31' })
  assert.deepEqual(lastMonths(6, '2026-03-15'), { from: '2025-09-16', to: '2026-03-15' })
})

test('a time ago uses the largest meaningful unit', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const ago = (minutes: number) => formatAgo(new Date(now.getTime() - minutes * 60_000).toISOString(), 'UTC', now)
  assert.deepEqual([-5, 0.5, 1, 4, 89, 90, 26 * 60, 48 * 60, 13 * 1440, 14 * 1440].map(ago), [
    'now',
    'now',
    '1 minute ago',
    '4 minutes ago',
    '89 minutes ago',
    '1 hour ago',
    '26 hours ago',
    '2 days ago',
    '13 days ago',
    'Nov 6, 2026',
  ])
})

test('an age has the steps of a time ago, and at least a minute', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const age = (minutes: number) => formatAge(new Date(now.getTime() - minutes * 60_000).toISOString(), now)
  assert.deepEqual([-5, 1, 89, 90, 26 * 60, 48 * 60, 40 * 1440].map(age), [
    '1 minute',
    '1 minute',
    '89 minutes',
    '1 hour',
    '26 hours',
    '2 days',
    '40 days',
  ])
})

test('a nearby day omits its year, and the hour is in the account’s time zone', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  assert.equal(formatShortDate('2026-08-18T02:00:00.000Z', 'America/New_York', now), 'Aug 17')
  assert.equal(formatShortDate('2026-01-01T02:00:00.000Z', 'America/New_York', now), 'Dec 31, 2025')
  const thisYear = `${new Date().getUTCFullYear()}-08-18T14:04:00.000Z`
  assert.equal(formatShortDateTime(thisYear, 'UTC'), 'Aug 18, 2:04 pm')
  assert.equal(formatTime('2026-01-01T02:05:00.000Z', 'America/New_York'), '9:05 pm')
})

test('a log time has seconds', () => {
  assert.equal(formatTimeWithSeconds('2026-11-20T20:04:05.000Z', 'America/New_York'), '3:04:05 pm')
})
