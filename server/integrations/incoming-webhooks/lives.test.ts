import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incomingLives } from '../../../test/support/incoming-course.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

// INCOMING_SEED and INCOMING_RUNS try other lives than the usual ones; a failure names its seed and what happened.
const SEED = Number(process.env.INCOMING_SEED ?? 1)
const RUNS = Number(process.env.INCOMING_RUNS ?? 12)

test(`${RUNS} random lives of incoming webhooks: each delivery comes to what the rules say, once`, async () => {
  const lives = await incomingLives.begin(await freshDatabase({ clock: ownClock }))
  const wrong: string[] = []
  for (let run = 0; run < RUNS; run++) await lives.live(SEED + run).catch((error: Error) => wrong.push(error.message))
  await lives.end()
  assert.deepEqual(wrong, [])
})
