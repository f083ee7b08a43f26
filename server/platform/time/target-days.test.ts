import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { targetDayFrom } from './target-days.ts'

test('a wished day moves to the next one on which the euro system works', async () => {
  const table = await readFile(new URL('../../../test/fixtures/banks/execution-days.tsv', import.meta.url), 'utf8')
  const rows = table.trim().split('\n').slice(1)
  assert.equal(rows.length, 12)
  for (const row of rows) {
    const [, wished, carriedOut, why] = row.split('\t')
    assert.equal(targetDayFrom(wished!), carriedOut, why)
  }
})

/** Returns the day of Easter by Gauss's rule in Lichtenberg's form, as days after 28 February. */
function easter(year: number): string {
  const century = Math.floor(year / 100)
  const moon = 15 + Math.floor((3 * century + 3) / 4) - Math.floor((8 * century + 13) / 25)
  const sun = 2 - Math.floor((3 * century + 3) / 4)
  const golden = year % 19
  const seed = (19 * golden + moon) % 30
  const late = Math.floor((seed + Math.floor(golden / 11)) / 29)
  const border = 21 + seed - late
  const sunday = 7 - ((year + Math.floor(year / 4) + sun) % 7)
  const ofMarch = border + 7 - ((border - sunday) % 7)
  return new Date(Date.UTC(year, 2, ofMarch)).toISOString().slice(0, 10)
}

test('no day of a century is carried out on a weekend or a holiday of the euro system, nor later than the next', () => {
  const next = (day: string, days = 1) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
  for (let year = 2026; year < 2126; year++) {
    const sunday = easter(year)
    const closed = new Set(['01-01', '05-01', '12-25', '12-26'].map((day) => `${year}-${day}`))
    closed.add(`${year + 1}-01-01`)
    for (const days of [-2, 1]) closed.add(next(sunday, days))
    for (let day = `${year}-01-01`; day.startsWith(`${year}`); day = next(day)) {
      let open = day
      while ([0, 6].includes(new Date(open).getUTCDay()) || closed.has(open)) open = next(open)
      assert.equal(targetDayFrom(day), open)
    }
  }
})
