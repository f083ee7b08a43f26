import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anAccount, startApp } from '../../../test/support/app.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { addDays, daysBetween } from '../../platform/time/days.ts'
import type { Range } from '../../platform/time/range.ts'
import { type Change, count } from './count.ts'
import { partnerRowsSql } from './history.ts'
import { fillMonths, inMonths, soldBy } from './months.ts'

const app = await startApp()
const { db } = app.services

const SEED = Number(process.env.SEED ?? 20_261_122)
/** Includes a leap year's February, and the ends of three years. */
const FIRST = '2023-11-17'
const DAYS = 460

const partners = Array.from({ length: 5 }, newId)
const blueprints = [null, newId()]

const aDay = fc.nat(DAYS).map((days) => addDays(FIRST, days))
const aRange = fc.tuple(aDay, aDay).map(([a, b]): Range => (a < b ? { from: a, to: b } : { from: b, to: a }))
const someChanges = fc.array(
  fc.record({
    day: aDay,
    partnerId: fc.constantFrom(null, ...partners),
    blueprintId: fc.constantFrom(...blueprints),
    sales: fc.constantFrom(-1, 0, 0, 1),
    revenue: fc.integer({ min: -300, max: 900 }),
    leads: fc.nat(1),
  }),
  { minLength: 30, maxLength: 120 },
)

test('the ranking by whole months and a few days equals the one by days', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someChanges, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(aRange, aDay), { minLength: 20, maxLength: 20 }),
      async (groups, asked) => {
        const { id: accountId } = await anAccount(app)
        for (const group of groups)
          await transaction(db, (tx) =>
            count(
              tx,
              group.map((change): Change => ({ accountId, ...change })),
            ),
          )
        for (const [range, today] of asked)
          assert.deepEqual(
            await byMonths(accountId, range, today),
            await byDays(accountId, range),
            JSON.stringify(range),
          )

        const kept = await monthsOf(accountId)
        await transaction(db, async (tx) => {
          await tx.run`delete from month_stats where account_id = ${accountId}`
          await fillMonths(tx, accountId)
        })
        assert.deepEqual(await monthsOf(accountId), kept)
      },
    ),
    { seed: SEED, numRuns: 8 },
  )
})

test('few days are read one by one, however long a range is', () => {
  fc.assert(
    fc.property(aRange, aDay, (range, today) => {
      const { days } = inMonths(range, today)
      const past = days.filter(({ from }) => from <= today).map((one) => (one.to < today ? one : { ...one, to: today }))
      assert.ok(past.reduce((sum, { from, to }) => sum + daysBetween(from, to) + 1, 0) <= 31)
    }),
    { seed: SEED },
  )
  const today = '2026-11-22'
  assert.deepEqual(inMonths({ from: '2025-11-23', to: today }, today), {
    months: Array.from(
      { length: 12 },
      (_, at) => `${at < 1 ? 2025 : 2026}-${String(((at + 11) % 12) + 1).padStart(2, '0')}-01`,
    ),
    days: [
      { from: '2025-11-23', to: '2025-11-30', sign: 1 },
      { from: '2026-11-23', to: '2026-11-30', sign: -1 },
    ],
  })
})

type Sold = { partnerId: string; sales: number; revenue: number }

const byMonths = (accountId: string, range: Range, today: string) => db.many<Sold>`
  select partner_id, sum(sales)::bigint as sales, sum(revenue)::bigint as revenue
  from ${soldBy(accountId, range, today)} t
  group by partner_id having sum(sales) <> 0 or sum(revenue) <> 0 order by revenue desc, sales desc, partner_id`

const byDays = (accountId: string, { from, to }: Range) => db.many<Sold>`
  select partner_id, sum(sales)::bigint as sales, sum(revenue)::bigint as revenue
  from day_stats where account_id = ${accountId} and ${partnerRowsSql} and day between ${from} and ${to}
  group by partner_id having sum(sales) <> 0 or sum(revenue) <> 0 order by revenue desc, sales desc, partner_id`

const monthsOf = (accountId: string) => db.many`
  select month, partner_id, sales, revenue from month_stats
  where account_id = ${accountId} and (sales, revenue) <> (0, 0) order by month, partner_id`
