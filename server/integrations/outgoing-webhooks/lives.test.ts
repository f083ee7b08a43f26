import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryLives } from '../../../test/support/delivery-course.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

// DELIVERIES_SEED and DELIVERIES_RUNS try other lives than the usual ones; a failure names its seed and what happened.
const SEED = Number(process.env.DELIVERIES_SEED ?? 1)
const RUNS = Number(process.env.DELIVERIES_RUNS ?? 5)

test(`${RUNS} random lives of webhooks: whatever was to be delivered was, to its own webhook alone`, async () => {
  const wrong: string[] = []
  for (let run = 0; run < RUNS; run++) {
    const lives = await deliveryLives.begin(await freshDatabase({ clock: ownClock }))
    await lives.live(SEED + run).catch((error: Error) => wrong.push(error.message))
    await lives.end()
  }
  assert.deepEqual(wrong, [])
})
