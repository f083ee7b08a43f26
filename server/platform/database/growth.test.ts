import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { bookingTransaction, openDatabase, transaction } from './pool.ts'
import { rawSql } from './sql.ts'

test('a booking’s plans are cached once the tables are known to be large', async (t) => {
  const db = await freshDatabase()
  await asDatabaseOwner(db).run`create table heaps (id integer)`
  const { name } = await db.one<{ name: string }>`select current_database() as name`
  // unlike the tests' own, which has one plan for everything
  await asDatabaseOwner(db).run`${rawSql(`alter database ${name} set plan_cache_mode = auto`)}`
  const clock = { at: Date.now(), now: () => new Date(clock.at) }
  const growing = openDatabase({ url: db.url, log: pino({ level: 'silent' }), clock, growing: ['heaps'], max: 2 })
  t.after(() => growing.close())
  const mode = async (open = bookingTransaction) =>
    (await open(growing, (tx) => tx.one<{ planCacheMode: string }>`show plan_cache_mode`)).planCacheMode
  /** Repeats the query until the background check has run. */
  const comesTo = async (wanted: string) => {
    for (clock.at += 10_000; (await mode()) !== wanted; await sleep(5));
  }

  assert.equal(await mode(), 'auto', 'nothing is known of an empty table')
  await asDatabaseOwner(db).run`insert into heaps select generate_series(1, 1000)`
  clock.at += 10_000
  assert.equal(await mode(), 'auto', 'nothing is known of one that was not counted')
  await asDatabaseOwner(db).run`analyze heaps`
  await comesTo('force_generic_plan')
  assert.equal(await mode(transaction), 'auto', 'other transactions plan as they always do')
})
