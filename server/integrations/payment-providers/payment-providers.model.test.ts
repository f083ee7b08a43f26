import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listSeeds, runModelTests } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { saleLives } from '../../../test/support/sale-commands.ts'
import { verifyLedger } from '../../program/stats/verify.ts'

const LANES = 4

test('random lives of sales from a payment provider agree with an independent, simpler model', async () => {
  const db = await freshDatabase()
  await runModelTests(saleLives, db, listSeeds(2), LANES)
  assert.deepEqual(await verifyLedger(db), [])
})
