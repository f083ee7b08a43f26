import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../test/support/app.ts'
import { ownerOf } from '../test/support/postgres.ts'
import { deleteOld } from './retention.ts'

test('a failing deletion stops no other, and fails the run at its end', async () => {
  const { services } = await startApp()
  const { db } = services
  const aCount = () => db.run`
    insert into mail_counts (key, names, forget_at) values ('old', '{}', ${db.now}::timestamptz - interval '1 hour')`
  const counts = () => db.many`select from mail_counts`
  await aCount()
  await deleteOld(services)
  assert.deepEqual(await counts(), [])
  await aCount()
  await ownerOf(db).run`alter table idempotency_keys rename to gone`
  await assert.rejects(deleteOld(services), AggregateError)
  assert.deepEqual(await counts(), [])
})
