import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'

test('no one waits beyond the limits for a lock, a statement, an idle transaction or a connection', async () => {
  const db = await freshDatabase({ patience: 1 })
  const setting = async (name: string) =>
    (await db.one<{ value: string }>`select current_setting(${name}) as value`).value
  assert.equal(await setting('statement_timeout'), '15s')
  assert.equal(await setting('lock_timeout'), '5s')
  assert.equal(await setting('idle_in_transaction_session_timeout'), '10s')
  assert.equal(await setting('application_name'), 'tributary')
  assert.equal(db.pool.options.connectionTimeoutMillis, 3000)
})
