import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import { Refusal } from '../refusal.ts'
import { createGroup } from '../../database/group.ts'
import type { Transaction } from './pool.ts'

const db = await freshDatabase()
await ownerOf(db).run`create table rows (value integer primary key, transaction_id bigint not null)`

beforeEach(() => db.run`delete from rows`)

const insert = (tx: Transaction, values: number[]) => tx.run`
  insert into rows select value, txid_current() from unnest(${values}::integer[]) value`

async function insertAll(tx: Transaction, values: number[]) {
  await insert(tx, values)
  return values.map((value) => value * 10)
}

const stored = async () =>
  (await db.many<{ value: number }>`select value from rows order by value`).map((row) => row.value)
const commits = async () =>
  (await db.one<{ count: number }>`select count(distinct transaction_id) as count from rows`).count
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('what arrives in one turn of the loop is one commit, each with its own result', async () => {
  const put = createGroup(db, insertAll, { max: 100 })
  assert.deepEqual(await Promise.all([put(1), put(2), put(3)]), [10, 20, 30])
  assert.deepEqual(await stored(), [1, 2, 3])
  assert.equal(await commits(), 1)
})

test('an answer comes after the commit: another connection sees the row at once', async () => {
  const put = createGroup(db, insertAll, { max: 100 })
  const seen = await Promise.all(
    numbers(50).map(async (value) => {
      await put(value)
      return (await db.maybe`select from rows where value = ${value}`) !== undefined
    }),
  )
  assert.deepEqual(new Set(seen), new Set([true]))
})

test('items gather while a commit runs, at most max to a group, one group at a time', async () => {
  let running = 0
  const sizes: number[] = []
  const put = createGroup(
    db,
    async (tx, values: number[]) => {
      running++
      assert.equal(running, 1)
      sizes.push(values.length)
      await tx.run`select pg_sleep(0.02)`
      const results = await insertAll(tx, values)
      running--
      return results
    },
    { max: 40 },
  )
  const first = put(0)
  await new Promise((resolve) => setTimeout(resolve, 5))
  const results = await Promise.all([first, ...numbers(100).map(put)])
  assert.deepEqual(results, [0, ...numbers(100).map((value) => value * 10)])
  assert.deepEqual(sizes, [1, 40, 40, 20])
})

test('parallel callers lose nothing and pay far fewer commits than calls', async () => {
  const put = createGroup(db, insertAll, { max: 256 })
  const callers = numbers(64).map(async (caller) => {
    for (let turn = 0; turn < 40; turn++) await put(caller * 1000 + turn)
  })
  await Promise.all(callers)
  assert.equal((await stored()).length, 64 * 40)
  assert.ok((await commits()) < 64 * 10, `${await commits()} commits`)
})

test('a row that fails fails alone', async () => {
  await db.run`insert into rows values (5, 0)`
  const put = createGroup(db, insertAll, { max: 100 })
  const results = await Promise.allSettled(numbers(9).map(put))
  assert.deepEqual(
    results.map(({ status }) => status),
    numbers(9).map((value) => (value === 5 ? 'rejected' : 'fulfilled')),
  )
  assert.equal((results[4] as PromiseRejectedResult).reason.code, '23505')
  assert.deepEqual(await stored(), numbers(9))
  assert.equal(await put(10), 100)
})

test('an error as a result refuses its item only, without a second run', async () => {
  let runs = 0
  const put = createGroup(
    db,
    async (tx, values: number[]) => {
      runs++
      const good = values.filter((value) => value !== 2)
      await insert(tx, good)
      return values.map((value) => (value === 2 ? new Refusal('duplicate', 'Known.') : value))
    },
    { max: 100 },
  )
  const results = await Promise.allSettled([put(1), put(2), put(3)])
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code)),
    [1, 'duplicate', 3],
  )
  assert.deepEqual(await stored(), [1, 3])
  assert.equal(runs, 1)
})

test('a wrong number of results commits nothing', async () => {
  const put = createGroup(
    db,
    async (tx, values: number[]) => {
      await insert(tx, values)
      return []
    },
    { max: 100 },
  )
  const results = await Promise.allSettled([put(1), put(2)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(await stored(), [])
})

test('a connection lost in the middle fails the whole group, without a second run; the next one works', async () => {
  let runs = 0
  const put = createGroup(
    db,
    async (tx, values: number[]) => {
      runs++
      if (runs === 1) await tx.run`select pg_terminate_backend(pg_backend_pid())`
      return insertAll(tx, values)
    },
    { max: 100 },
  )
  const results = await Promise.allSettled([put(1), put(2), put(3)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.equal(runs, 1)
  assert.deepEqual(await stored(), [])
  assert.equal(await put(4), 40)
})

test('a deadlock is not seen: the group runs again', async () => {
  let runs = 0
  const put = createGroup(
    db,
    async (tx, values: number[]) => {
      runs++
      const results = await insertAll(tx, values)
      if (runs === 1) await tx.run`do $$ begin raise exception using errcode = '40P01'; end $$`
      return results
    },
    { max: 100 },
  )
  assert.deepEqual(await Promise.all([put(1), put(2)]), [10, 20])
  assert.equal(runs, 2)
})
