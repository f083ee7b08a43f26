import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leadLives } from '../../../test/support/lead-course.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

// LEADS_SEED and LEADS_RUNS try other lives than the usual ones; a failure names its seed and what happened.
const SEED = Number(process.env.LEADS_SEED ?? 1)
const RUNS = Number(process.env.LEADS_RUNS ?? 12)

test(`${RUNS} random lives of leads: whose they are, how long, and who comes later`, async () => {
  const lives = await leadLives.begin(await freshDatabase({ clock: ownClock }))
  const wrong: string[] = []
  for (let run = 0; run < RUNS; run++) await lives.live(SEED + run).catch((error: Error) => wrong.push(error.message))
  await lives.end()
  assert.deepEqual(wrong, [])
})
