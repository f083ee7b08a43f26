import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { saleLives } from '../../../test/support/sale-course.ts'
import { verifyLedger } from '../../program/stats/verify.ts'

// SALES_SEED and SALES_RUNS try other lives than the usual ones; a failure names its seed and what happened.
const SEED = Number(process.env.SALES_SEED ?? 1)
const RUNS = Number(process.env.SALES_RUNS ?? 24)
const LANES = 4

test(`${RUNS} random lives of sales from a payment provider agree with a second, simpler model`, async () => {
  const db = await freshDatabase()
  const lives = await saleLives.begin(db)
  const seeds = Array.from({ length: RUNS }, (_, run) => SEED + run)
  const wrong: string[] = []
  const lane = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift())
      await lives.live(seed).catch((error: Error) => wrong.push(error.message))
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await lives.end()
  assert.deepEqual(wrong, [])
  assert.deepEqual(await verifyLedger(db), [])
})
