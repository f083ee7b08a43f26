import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../test/support/app.ts'
import { life, type SaleContext } from '../../test/support/sale-course.ts'
import { openDatabase } from '../database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'

// SALES_SEED and SALES_RUNS try other lives than the usual ones; a failure names its seed and what happened.
const SEED = Number(process.env.SALES_SEED ?? 1)
const RUNS = Number(process.env.SALES_RUNS ?? 24)
const LANES = 4

test(`${RUNS} random lives of sales from a payment provider agree with a second, simpler model`, async () => {
  const { url, services } = await startApp()
  const db = openDatabase({ url: services.db.url, log: services.log, clock: services.clock })
  after(() => db.close())
  const context: SaleContext = { url, services, second: { ...services, db } }
  const seeds = Array.from({ length: RUNS }, (_, run) => SEED + run)
  const failures: string[] = []
  const lane = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift())
      await life.run(seed, context).catch((error: Error) => failures.push(`seed ${seed}: ${error.message}`))
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  assert.deepEqual(failures, [])
  assert.deepEqual(await verifyLedger(db), [])
})
