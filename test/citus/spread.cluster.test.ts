import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planSpread } from '../../server/platform/database/cluster/spread.ts'
import { missingTriggers } from '../../server/platform/database/missing-triggers.ts'
import { freshDatabase, ownerOf } from '../support/postgres.ts'

test('every table of a spread install is placed, and each shard has its triggers', async () => {
  const db = ownerOf(await freshDatabase())
  assert.deepEqual(await planSpread(db), { everywhere: [], distributed: [] })
  assert.deepEqual(await missingTriggers(db), [])
})
