import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { transaction, withSavepoint } from './pool.ts'

const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('statements sent at once by a transaction wait for one another, without a warning', async () => {
  const db = await freshDatabase()
  const warnings: string[] = []
  const listen = ({ message }: Error) => warnings.push(message)
  process.on('warning', listen)
  const answers = await transaction(db, (tx) =>
    Promise.all([1, 2, 3].map((n) => tx.one<{ n: number }>`select ${n}::int as n, pg_sleep(0.01)`)),
  )
  await settled()
  process.off('warning', listen)
  assert.deepEqual(
    answers.map(({ n }) => n),
    [1, 2, 3],
  )
  assert.deepEqual(warnings, [])
})

test('a statement sent alongside a failing one is undone with it', async () => {
  const db = await freshDatabase()
  await asDatabaseOwner(db).run`create table kept (n int)`
  await assert.rejects(
    transaction(db, (tx) =>
      Promise.all([tx.run`insert into kept values (1)`, tx.run`select 1 / 0`, tx.run`insert into kept values (2)`]),
    ),
    /division by zero/,
  )
  assert.deepEqual(await db.many`select n from kept`, [])
})

test('if one of several concurrent statements fails, its error is that of the others', async () => {
  const db = await freshDatabase()
  const late = async (statement: Promise<unknown>) => {
    statement.catch(() => {})
    await settled()
    return statement
  }
  const failing = transaction(db, (tx) => Promise.all([late(tx.run`select 1 / 0`), tx.run`select 2`]))
  await assert.rejects(failing, /division by zero/)
  // errors undone by a savepoint no longer count
  await assert.rejects(
    transaction(db, async (tx) => {
      await withSavepoint(tx, () => tx.run`select 1 / 0`).catch(() => {})
      await tx.run`select 'x'::uuid`
    }),
    /invalid input syntax for type uuid/,
  )
})

test('a lost machine of a cluster, which takes the savepoint with it, is the error of its part', async () => {
  const db = await freshDatabase()
  const lost = Object.assign(new Error('server closed the connection'), { code: '08006' })
  const failing = (error: Error) =>
    transaction(db, (tx) =>
      withSavepoint(tx, async () => {
        await tx.client.query('release savepoint part')
        throw error
      }),
    )
  await assert.rejects(failing(lost), lost)
  await assert.rejects(failing(new Error('refused')), /savepoint "part" does not exist/)
})

test('a statement sent after a sibling failed writes nothing once the transaction is over', async () => {
  const db = await freshDatabase({ max: 1 })
  await asDatabaseOwner(db).run`create table kept (n int)`
  const over = Promise.withResolvers<void>()
  let late: Promise<unknown> | undefined
  await assert.rejects(
    transaction(db, (tx) => {
      late = over.promise.then(() => tx.run`insert into kept values (1)`)
      return Promise.all([late, tx.run`select 1 / 0`])
    }),
    /division by zero/,
  )
  over.resolve()
  await assert.rejects(late!, /the transaction is over/)
  assert.deepEqual(await db.many`select n from kept`, [])
})
