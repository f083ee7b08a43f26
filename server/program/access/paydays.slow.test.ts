import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  areDays,
  isPayday,
  type Paydays,
  paydayFrom,
  paydaysInWords,
  paydayUntil,
  whenPaidInWords,
} from '#contract/paydays.ts'
import { listSeeds, type Random, randomFrom } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { sql } from '../../platform/database/sql.ts'
import { addDays } from '../../platform/time/days.ts'
import { nextRunDay, paydayFromSql, paydayToRun } from './paydays.ts'

const year = (first: string) => Array.from({ length: 800 }, (_, ahead) => addDays(first, ahead))

/** A second calendar: all paydays of some years, listed month by month and week by week. */
function listed(paydays: Paydays): Set<string> {
  const days = new Set<string>()
  if (paydays.every === 'day') for (const day of year('2027-06-01')) days.add(day)
  // 2027-05-03 is a Monday
  if (paydays.every === 'week')
    for (let week = 0; week < 125; week++) days.add(addDays('2027-05-03', week * 7 + paydays.weekday - 1))
  if (paydays.every === 'month')
    for (let month = 0; month < 36; month++)
      for (const nth of paydays.days) {
        const long = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month % 12]!
        const most = month % 12 === 1 && month >= 12 && month < 24 ? 29 : long
        const parts = [2027 + Math.floor(month / 12), (month % 12) + 1, Math.min(nth, most)]
        days.add(parts.map((part) => String(part).padStart(2, '0')).join('-'))
      }
  return days
}

const kinds: Paydays[] = [
  { every: 'day' },
  ...[1, 2, 3, 4, 5, 6, 7].map((weekday): Paydays => ({ every: 'week', weekday })),
  ...[[1], [15], [28], [29], [30], [31], [1, 15], [15, 31], [28, 29], [30, 31], [1, 31]].map(
    (days): Paydays => ({ every: 'month', days }),
  ),
]

test('the calendar, in code and in SQL, agrees with a list of all paydays, leap day included', async () => {
  const db = await freshDatabase()
  const days = year('2027-06-01')
  for (const paydays of kinds) {
    const all = listed(paydays)
    const name = JSON.stringify(paydays)
    const until = (day: string) =>
      [...all]
        .filter((one) => one <= day)
        .sort()
        .at(-1)
    const expected = days.slice(40, 760).map((day) => {
      let next = day
      while (!all.has(next)) next = addDays(next, 1)
      return { day, next }
    })
    for (const { day, next } of expected) {
      assert.equal(isPayday(paydays, day), all.has(day), `${name} ${day}`)
      assert.equal(paydayFrom(paydays, day), next, `${name} from ${day}`)
    }
    for (const day of days.slice(60, 760).filter((_, index) => index % 37 === 0))
      assert.equal(paydayUntil(paydays, day), until(day), `${name} until ${day}`)
    const found = await db.many<{ day: string; next: string }>`
      select d.day, ${paydayFromSql(paydays, sql`d.day`)} as next
      from unnest(${expected.map(({ day }) => day)}::date[]) d(day) order by 1`
    assert.deepEqual(found, expected, `${name} in SQL`)
  }
})

const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Santiago']
const HOUR = 3_600_000

/** Every hour of a year with its date and time in a zone. */
const hoursOf = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return Array.from({ length: 370 * 24 }, (_, ahead) => {
    const now = new Date(Date.parse('2027-10-01T00:00:00Z') + ahead * HOUR)
    const [day, clock] = format.format(now).split(' ') as [string, string]
    return { now, day, clock }
  })
}

for (const seed of listSeeds(1))
  test(`seed ${seed}: a process that is at times away for days makes each payday of a year once, at the first chance`, () => {
    const random = randomFrom(seed)
    for (const timeZone of zones) {
      const hours = hoursOf(timeZone)
      for (const paydays of [random.pick(kinds), random.pick(kinds)]) liveThrough({ paydays, timeZone }, hours, random)
    }
  })

function liveThrough(
  account: { paydays: Paydays; timeZone: string },
  hours: ReturnType<typeof hoursOf>,
  random: Random,
) {
  const { paydays } = account
  const all = listed(paydays)
  const paid: string[] = []
  let doneOn: string | null = '2027-09-30'
  // a payday whose hour has come, and that is not made yet
  let open: string | null = null
  let away = 0
  for (const { now, day, clock } of hours) {
    if (all.has(day) && clock >= '06:00' && day > (doneOn ?? '')) open = day
    else if (paydays.every === 'day') open = null
    if (--away > 0) continue
    if (random.below(300) === 0) away = random.below(100)
    const promised = nextRunDay(account, now, doneOn)
    const run = paydayToRun(account, now, doneOn)
    assert.equal(run, open, `${JSON.stringify(account)} on ${day} at ${clock}`)
    if (!run) continue
    assert.equal(promised, day)
    paid.push(run)
    doneOn = run
    open = null
  }
  assert.equal(new Set(paid).size, paid.length)
}

test('paydays are said in words, and days that no calendar has are none', () => {
  const words = kinds.map(paydaysInWords)
  assert.equal(new Set(words).size, words.length)
  assert.equal(paydaysInWords({ every: 'week', weekday: 7 }), 'every Sunday')
  assert.equal(paydaysInWords({ every: 'month', days: [2, 23] }), 'on the 2nd and the 23rd of each month')
  assert.equal(paydaysInWords({ every: 'month', days: [11, 31] }), 'on the 11th and the last day of each month')
  assert.equal(paydaysInWords({ every: 'month', days: [30] }), 'on the 30th of each month, or its last day')
  const firstOnes: Paydays = { every: 'month', days: [1, 15] }
  assert.deepEqual(
    [
      whenPaidInWords({ every: 'day' }, true),
      whenPaidInWords({ every: 'day' }, false),
      whenPaidInWords(firstOnes, true),
    ],
    [
      'Payouts are made automatically, every day.',
      'Each payout is approved by a person.',
      'Payouts are made automatically on the 1st and the 15th of each month.',
    ],
  )
  for (const weekday of [0, 8, -1]) assert.ok(!areDays({ every: 'week', weekday }))
  for (const days of [[0], [32], [15, 15]]) assert.ok(!areDays({ every: 'month', days }))
})
