import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { startPgBouncer, withoutPgBouncer } from '../../../test/support/pgbouncer.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import type { Pooling } from './connection-settings.ts'
import { type Database, isDatabaseAway, openDatabase, transaction } from './pool.ts'

const log = pino({ level: 'silent' })

describe('behind a real PgBouncer', { skip: withoutPgBouncer }, async () => {
  const direct = await freshDatabase()

  type Given = { poolSize: number; mode?: Pooling } & Partial<Parameters<typeof openDatabase>[0]>
  /** Opens the database through a pooler, with the serving role. */
  const pooled = async ({ poolSize, mode = 'transaction', ...options }: Given) => {
    const bouncer = await startPgBouncer(asDatabaseOwner(direct).url, { poolSize, mode })
    after(() => bouncer.close())
    const url = Object.assign(new URL(direct.url), { host: new URL(bouncer.url).host }).href
    const db = openDatabase({ url, pooling: mode, directUrl: direct.url, log, max: 2, ...options })
    after(() => db.close())
    return db
  }

  const limits = (db: Pick<Database, 'one'>) => db.one<Record<string, string>>`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone,
      current_setting('synchronous_commit') as synchronous`

  test('the settings apply to a statement and a transaction, and do not leak', async () => {
    const name = new URL(direct.url).pathname.slice(1)
    await asDatabaseOwner(direct).pool.query(`alter database ${name} set timezone = 'Asia/Tokyo'`)
    await asDatabaseOwner(direct).pool.query(`alter database ${name} set synchronous_commit = off`)
    const db = await pooled({ poolSize: 1 })
    const expected = { statement: '15s', lock: '5s', idle: '10s', zone: 'UTC', synchronous: 'on' }
    assert.deepEqual(await limits(db), expected)
    assert.deepEqual(await transaction(db, limits), expected)
    assert.deepEqual(await transaction(db, limits, { lockTimeoutMs: 250 }), { ...expected, lock: '250ms' })
    const { rows } = await db.pool.query('show timezone')
    assert.deepEqual(rows, [{ TimeZone: 'Asia/Tokyo' }])
    assert.deepEqual(await limits(await pooled({ poolSize: 2, mode: 'session' })), expected)
  })

  test('no one waits for a statement or a lock beyond the limits', async () => {
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

  for (const mode of ['transaction', 'session'] as const)
    test(`a timed-out wait for a pooler connection counts as the database being down: ${mode} mode`, async () => {
      const db = await pooled({ poolSize: 1, patience: 0.4, mode })
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

  for (const pooling of ['transaction', 'session'] as const)
    test(`statements run on any of the pooler's connections, once each, with DATABASE_POOLING=${pooling}`, async () => {
      const lines: { msg: string }[] = []
      const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
      const db = await pooled({ poolSize: 3, max: 20, patience: 6, pooling, log })
      await asDatabaseOwner(direct).run`create table if not exists counted (n bigint)`
      await asDatabaseOwner(direct).run`truncate counted`
      const work = async (n: number) => {
        await db.run`insert into counted values (${n})`
        await transaction(db, (tx) =>
          Promise.all([tx.run`insert into counted values (${n})`, tx.many`select n from counted where n = ${n}`]),
        )
      }
      await Promise.all(Array.from({ length: 200 }, (_, n) => work(n)))
      assert.deepEqual(await db.one`select count(*) as count, sum(n) as sum from counted`, {
        count: 400,
        sum: 39_800,
      })
      assert.equal(lines.length, pooling === 'session' ? 1 : 0, JSON.stringify(lines))
      if (pooling === 'session') assert.match(lines[0]!.msg, /set DATABASE_POOLING=transaction$/)
    })

  test('a failed statement writes nothing, and one whose commit fails says so', async () => {
    const db = await pooled({ poolSize: 1 })
    await asDatabaseOwner(direct).run`create table checked (n int unique deferrable initially deferred)`
    await db.run`insert into checked values (1)`
    await assert.rejects(db.run`insert into checked values (1)`, { code: '23505' })
    await assert.rejects(db.run`insert into checked select 1 / ${0}::int`, { code: '22012' })
    assert.deepEqual(await db.many`select n from checked`, [{ n: 1 }])
  })
})
