import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { startPgBouncer, withoutNames, withoutPgBouncer } from '../../../test/support/pgbouncer.ts'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import { type Database, isDatabaseAway, openDatabase, transaction } from './pool.ts'
import { findPooling } from './pooling.ts'

const log = pino({ level: 'silent' })

test('PostgreSQL itself is known as no pooler', async () => {
  const db = await freshDatabase()
  assert.deepEqual(await findPooling(db.url), { pooling: 'none' })
})

describe('behind a real PgBouncer', { skip: withoutPgBouncer }, async () => {
  const direct = await freshDatabase()
  const { url: owned } = ownerOf(direct)
  const bouncer = async (options: Parameters<typeof startPgBouncer>[1]) => {
    const started = await startPgBouncer(owned, options)
    after(() => started.close())
    return started
  }

  for (const mode of ['session', 'transaction', 'statement'] as const)
    for (const settings of [[], ['server_round_robin = 1'], ['ignore_startup_parameters = options']])
      test(`${mode} mode is known as such, ${settings[0] ?? 'as it comes'}`, async () => {
        const { url } = await bouncer({ mode, settings })
        assert.equal((await findPooling(url)).pooling, mode)
      })

  for (const [names, poolSize, kept] of [
    [0, 2, false],
    [200, 2, true],
    [200, 1, false],
    [1, 5, true],
  ] as const)
    for (const settings of [[], ['server_round_robin = 1']])
      test(`whether ${poolSize} connections with ${names} names keep any is found out, ${settings[0] ?? 'as it comes'}`, {
        skip: names > 0 && withoutNames,
      }, async () => {
        const { url } = await bouncer({ names, poolSize, settings })
        assert.deepEqual(await findPooling(url), { pooling: 'transaction', keepsNames: kept })
      })

  test('one that keeps names is known while others are at work', { skip: withoutNames }, async () => {
    const { url } = await bouncer({ names: 200, poolSize: 5 })
    const busy = openDatabase({ url, pooling: 'transaction', log, max: 4, patience: 6 })
    let isOver = false
    const working = Promise.all(
      [1, 2, 3, 4].map(async () => {
        while (!isOver) await busy.run`select pg_sleep(random() / 200)`
      }),
    )
    const found = await Promise.all([1, 2, 3, 4].map(() => findPooling(url)))
    isOver = true
    await working
    await busy.close()
    assert.deepEqual(found, Array(4).fill({ pooling: 'transaction', keepsNames: true }))
  })

  /** Opens the database through a pooler in transaction mode, with the serving role. */
  const pooled = async ({ poolSize, ...options }: { poolSize: number; max?: number; patience?: number }) => {
    const { url } = await bouncer({ poolSize })
    const db = openDatabase({
      url: Object.assign(new URL(direct.url), { host: new URL(url).host }).href,
      pooling: 'transaction',
      direct: direct.direct,
      log,
      max: 2,
      ...options,
    })
    after(() => db.close())
    return db
  }

  const limits = (db: Pick<Database, 'one'>) => db.one<Record<string, string>>`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone,
      current_setting('synchronous_commit') as synchronous`

  test('the settings hold for a statement, for a transaction and for nobody else', async () => {
    const name = new URL(direct.url).pathname.slice(1)
    await ownerOf(direct).pool.query(`alter database ${name} set timezone = 'Asia/Tokyo'`)
    await ownerOf(direct).pool.query(`alter database ${name} set synchronous_commit = off`)
    const db = await pooled({ poolSize: 1 })
    const expected = { statement: '15s', lock: '5s', idle: '10s', zone: 'UTC', synchronous: 'on' }
    assert.deepEqual(await limits(db), expected)
    assert.deepEqual(await transaction(db, limits), expected)
    assert.deepEqual(await transaction(db, limits, { lockTimeoutMs: 250 }), { ...expected, lock: '250ms' })
    const { rows } = await db.pool.query('show timezone')
    assert.deepEqual(rows, [{ TimeZone: 'Asia/Tokyo' }])
  })

  test('nobody waits for a statement or a lock beyond the limits', async () => {
    const db = await pooled({ poolSize: 4, max: 4, patience: 0.4 })
    const holder = await direct.pool.connect()
    await holder.query('begin; select pg_advisory_xact_lock(7)')
    const outcomes = await Promise.allSettled([
      db.run`select pg_sleep(60)`,
      transaction(db, (tx) => tx.run`select pg_sleep(60)`),
      db.run`select pg_advisory_xact_lock(7)`,
      transaction(db, (tx) => tx.run`select pg_advisory_xact_lock(7)`),
    ])
    await holder.query('rollback')
    holder.release()
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code),
      ['57014', '57014', '55P03', '55P03'],
    )
  })

  test('who gets no connection of the pooler in time is told that the database is away', async () => {
    const db = await pooled({ poolSize: 1, patience: 0.4 })
    const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = transaction(db, async (tx) => {
      await tx.run`select 1`
      held.resolve()
      await free.promise
    })
    await held.promise
    await assert.rejects(db.run`select 1`, isDatabaseAway)
    await assert.rejects(
      transaction(db, (tx) => tx.run`select 1`),
      isDatabaseAway,
    )
    free.resolve()
    await holding
    assert.deepEqual(await db.one`select 2 as n`, { n: 2 })
  })

  test('statements run on whatever connection they are lent, many at once', async () => {
    const db = await pooled({ poolSize: 3, max: 20, patience: 6 })
    await ownerOf(direct).run`create table counted (n bigint)`
    const work = async (n: number) => {
      await db.run`insert into counted values (${n})`
      await transaction(db, (tx) =>
        Promise.all([tx.run`insert into counted values (${n})`, tx.many`select n from counted where n = ${n}`]),
      )
    }
    await Promise.all(Array.from({ length: 200 }, (_, n) => work(n)))
    assert.deepEqual(await db.one`select count(*) as count, sum(n) as sum from counted`, { count: 400, sum: 39_800 })
  })

  test('a statement that fails writes nothing, and one whose commit fails says so', async () => {
    const db = await pooled({ poolSize: 1 })
    await ownerOf(direct).run`create table checked (n int unique deferrable initially deferred)`
    await db.run`insert into checked values (1)`
    await assert.rejects(db.run`insert into checked values (1)`, { code: '23505' })
    await assert.rejects(db.run`insert into checked select 1 / ${0}::int`, { code: '22012' })
    assert.deepEqual(await db.many`select n from checked`, [{ n: 1 }])
  })
})
