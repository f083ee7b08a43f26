import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { type Database, openDatabase, transaction } from './pool.ts'

const direct = await freshDatabase()
const owner = asDatabaseOwner(direct)

test('a statement sent twice alongside a failing one fails with its error both times', async () => {
  let outcomes: PromiseSettledResult<unknown>[] = []
  await assert.rejects(
    transaction(direct, async (tx) => {
      const twice = () => tx.run`select 'sent twice'`
      outcomes = await Promise.allSettled([tx.run`select 1 / 0`, twice(), twice()])
      return tx.run`select 1`
    }),
  )
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code),
    ['22012', '22012', '22012'],
  )
})

test('a plan invalidated by a migration fails neither a statement nor a transaction', async () => {
  await owner.run`create table migrated (n int)`
  await owner.run`insert into migrated values (1)`
  await owner.run`grant all on migrated to public`
  const read = (db: Pick<Database, 'one'>) => db.one`select * from migrated`
  for (const way of [read, (db: Database) => transaction(db, read)]) {
    const db = openDatabase({ url: direct.url, log: pino({ level: 'silent' }), max: 1 })
    const before = await way(db)
    await owner.run`alter table migrated add column more int`
    assert.deepEqual(Object.keys((await way(db)) as object).length, Object.keys(before as object).length + 1)
    await db.close()
    await owner.run`alter table migrated drop column more`
  }
})
