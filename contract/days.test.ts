import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerAsIcu72 } from '../test/support/other-locales.ts'

answerAsIcu72()
const { dayIn, hourIn } = await import('./days.ts')
const server = await import('../server/platform/time/days.ts')
const paydays = await import('../server/program/access/paydays.ts')
const words = await import('../server/platform/format-values.ts')
const web = await import('../web/format.ts')

// Days in an engine whose locales write them otherwise.

const at = new Date('2026-11-20T03:05:00Z')

test('this engine writes days otherwise', () => {
  const format = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: 'UTC',
  })
  assert.equal(format.format(at), '11/20/2026')
  assert.match(at.toISOString(), /^2026-11-20/)
})

test('a day and an hour are those of the time zone', () => {
  assert.equal(dayIn('UTC', at), '2026-11-20')
  assert.equal(dayIn('America/New_York', at), '2026-11-19')
  assert.equal(dayIn('Pacific/Kiritimati', new Date('2026-12-31T11:00:00Z')), '2027-01-01')
  assert.equal(dayIn('UTC', new Date('0987-01-02T00:00:00Z')), '0987-01-02')
  assert.deepEqual(
    [0, 3, 5, 12, 23].map((hour) => hourIn('UTC', new Date(Date.UTC(2026, 10, 20, hour)))),
    [0, 3, 5, 12, 23],
  )
  assert.equal(hourIn('America/New_York', at), 22)
})

test('both on either side of every hour of a day that clocks repeat an hour of', () => {
  const started = Date.parse('2026-11-01T04:00:00Z')
  const hours = Array.from({ length: 25 }, (_, hour) =>
    hourIn('America/New_York', new Date(started + hour * 3_600_000)),
  )
  assert.deepEqual(hours, [0, 1, 1, ...Array.from({ length: 22 }, (_, hour) => hour + 2)])
  for (const hour of [0, 24])
    assert.equal(dayIn('America/New_York', new Date(started + hour * 3_600_000)), '2026-11-01')
  assert.equal(dayIn('America/New_York', new Date(started + 25 * 3_600_000)), '2026-11-02')
  assert.equal(dayIn('America/New_York', new Date(started - 1)), '2026-10-31')
})

test('what is worked out from days', () => {
  assert.equal(server.startOfDay('2026-11-20', 'America/New_York').toISOString(), '2026-11-20T05:00:00.000Z')
  assert.equal(server.yearIn('Asia/Tokyo', new Date('2026-12-31T16:00:00Z')), 2027)
  assert.equal(paydays.hasHourCome('America/New_York', new Date('2026-11-20T10:59:00Z')), false)
  assert.equal(paydays.hasHourCome('America/New_York', new Date('2026-11-20T11:00:00Z')), true)
  assert.equal(web.todayIn('Asia/Tokyo', new Date('2026-11-20T18:00:00Z')), '2026-11-21')
  assert.equal(web.toYear(web.todayIn('UTC', at)), 2026)
  assert.deepEqual(web.lastMonths(6, web.todayIn('UTC', at)), { from: '2026-05-21', to: '2026-11-20' })
})

test('days and times in words', () => {
  assert.equal(words.daysInWords('2026-11-09', '2026-11-15'), 'Nov 9–15, 2026')
  assert.equal(words.daysInWords('2026-09-25', '2026-11-05'), 'Sep 25 – Nov 5, 2026')
  assert.equal(words.monthAlone('2026-10'), 'October')
  assert.equal(web.formatLongDateTime(at.toISOString(), 'UTC'), 'November 20th, 2026 at 3:05 am')
  assert.equal(web.formatShortDate(at.toISOString(), 'UTC', at), 'Nov 20')
  assert.equal(web.formatShortDate('2025-11-20T03:05:00Z', 'UTC', at), 'Nov 20, 2025')
  assert.equal(web.formatTime(at.toISOString(), 'UTC'), '3:05 am')
  assert.equal(web.formatTimeWithSeconds(at.toISOString(), 'UTC'), '3:05:00 am')
})
