import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../test/support/postgres.ts'
import { verifyLedger } from './verify.ts'

test('an empty ledger agrees with itself', async () => {
  const db = await freshDatabase()
  assert.deepEqual(await verifyLedger(db), [])
})
