import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { sql } from '../../platform/database/sql.ts'
import { lostShare } from './correct-entries.ts'
import { split } from './earnings.ts'
import { keptOf } from './kept-commission.ts'

const db = await freshDatabase()
const SEED = Number(process.env.SEED ?? 20_261_122)

const MOST = 1_000_000_000_000_000
const anAmount = fc.oneof(
  fc.integer({ min: 1, max: 200 }),
  fc.integer({ min: 1, max: 10_000_000 }),
  // around the limit of bigint, and the largest sale
  fc.integer({ min: 999_999_999_990, max: 1_000_000_000_010 }),
  fc.integer({ min: MOST - 100_000, max: MOST }),
)
const aSale = fc
  .record({
    accountAmount: anAmount,
    more: fc.oneof(fc.constant(0), fc.nat(5000)),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .chain(({ accountAmount, more, part }) => {
    const grossAmount = accountAmount + more
    const refunds = [0, 1, grossAmount, Math.floor(grossAmount * part)]
    return fc.constantFrom(...refunds).map((refundedAmount) => ({ accountAmount, grossAmount, refundedAmount }))
  })
/** Up to ten layers, as the contract accepts them: a hundred percent together at most. */
const someRates = fc
  .array(fc.oneof(fc.constantFrom(0, 1, 500_000, 333_333, 1_000_000), fc.nat(400_000)), { minLength: 1, maxLength: 10 })
  .map((rates) => {
    let left = 1_000_000
    return rates.map((rate) => {
      const taken = Math.min(rate, left)
      left -= taken
      return taken
    })
  })

test('SQL computes the commission kept by each layer as it is booked', async () => {
  await fc.assert(
    fc.asyncProperty(someRates, fc.array(aSale, { minLength: 20, maxLength: 40 }), async (ratesPpm, sales) => {
      const line = ratesPpm.map((_, layer) => ({ partnerId: `partner ${layer}`, earns: true }))
      const expected = sales.map((sale) =>
        split(sale.accountAmount, { ratesPpm, line }).reduce(
          (sum, { amount }) => sum + amount - lostShare(amount, sale.refundedAmount, sale),
          0,
        ),
      )
      const rows = await db.many<{ kept: number }>`
        select (${keptOf(ratesPpm.map((rate) => sql`${rate}::bigint`))})::bigint as kept
        from unnest(${sales.map((sale) => sale.accountAmount)}::bigint[], ${sales.map((sale) => sale.grossAmount)}::bigint[],
          ${sales.map((sale) => sale.refundedAmount)}::bigint[])
          with ordinality as s (account_amount, gross_amount, refunded_amount, place)
        order by s.place`
      assert.deepEqual(
        rows.map(({ kept }) => kept),
        expected,
      )
    }),
    { seed: SEED, numRuns: 60 },
  )
})
