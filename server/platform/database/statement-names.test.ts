import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { startPgBouncer, withoutNames, withoutPgBouncer } from '../../../test/support/pgbouncer.ts'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import { type Database, openDatabase, savepoint, transaction } from './pool.ts'

const direct = await freshDatabase()
const owner = ownerOf(direct)
await owner.run`create table counted (n bigint)`

/** Opens a database whose pooler is known to keep names; returns it with its log. */
function open(url: string, max = 4): { db: Database; said: string[] } {
  const said: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => said.push(JSON.parse(line).error) })
  const db = openDatabase({ url, pooling: 'transaction', keepsNames: true, log, max, patience: 6 })
  after(() => db.close())
  return { db, said }
}

async function behind(options: Parameters<typeof startPgBouncer>[1], max?: number) {
  const bouncer = await startPgBouncer(owner.url, options)
  after(() => bouncer.close())
  return { bouncer, ...open(bouncer.url, max) }
}

const count = async (db: Database, from: number, calls: number) => {
  const numbers = Array.from({ length: calls }, (_, index) => from + index)
  await Promise.all(
    numbers.map((n) =>
      n % 2 === 0
        ? db.run`insert into counted values (${n})`
        : transaction(db, (tx) =>
            Promise.all([tx.run`insert into counted values (${n})`, tx.many`select n from counted where n = ${n}`]),
          ),
    ),
  )
}
const counted = async (from: number, calls: number) => {
  const { rows, numbers } = await owner.one<{ rows: number; numbers: number }>`
    select count(*) as rows, count(distinct n) as numbers from counted where n between ${from} and ${from + calls - 1}`
  assert.deepEqual({ rows, numbers }, { rows: calls, numbers: calls })
}

test('of a statement sent twice beside one that failed, each says why', async () => {
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

test('a plan that a migration has overtaken costs neither a statement nor a transaction', async () => {
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

test('behind one that keeps no names after all, nothing fails and the log says so once', {
  skip: withoutPgBouncer,
}, async () => {
  const { db, said } = await behind({ names: 0, poolSize: 3 }, 20)
  await count(db, 0, 200)
  await counted(0, 200)
  assert.equal(said.length, 1, said.join())
  assert.match(said[0]!, /prepared statement ".*" (does not exist|already exists)/)
})

describe('behind a PgBouncer that keeps names', { skip: withoutNames }, () => {
  test('a plan serves many connections, and its settings are those of the transaction', async () => {
    const { db, said } = await behind({ names: 200, poolSize: 2 })
    const plans = (keepsPlans: boolean) =>
      transaction(db, async (tx) => {
        if (keepsPlans) await tx.client.query('set local plan_cache_mode = force_generic_plan')
        await tx.many`select n from counted where n = ${5}`
        return tx.one<{ generic: number; custom: number }>`
          select generic_plans as generic, custom_plans as custom from pg_prepared_statements
          where statement like 'select n from counted where n =%'`
      })
    const custom = await plans(false)
    const generic = await plans(true)
    assert.deepEqual(generic, { generic: custom.generic + 1, custom: custom.custom })
    assert.deepEqual(said, [])
  })

  test('a plan that a migration has overtaken is done without, whoever kept it', async () => {
    const { bouncer, ...one } = await behind({ names: 200, poolSize: 1 })
    await owner.run`create table moved (n int)`
    await owner.run`insert into moved values (1)`
    const read = (db: Database) => db.one`select * from moved`
    await read(one.db)
    await owner.run`alter table moved add column more int`
    const other = open(bouncer.url)
    for (const { db, said } of [one, other, one]) {
      assert.deepEqual(await read(db), { n: 1, more: null })
      assert.deepEqual(said, ['cached plan must not change result type'])
    }
  })

  test('more statements than it keeps names for are all answered', async () => {
    const { db, said } = await behind({ names: 3, poolSize: 3 }, 20)
    const texts = Array.from({ length: 12 }, (_, index) =>
      Object.assign([`select ${index}::int + `, '::int as sum'], { raw: [] }),
    )
    const add = async (from: Pick<Database, 'one'>, index: number, n: number) => {
      const { sum } = await from.one<{ sum: number }>(texts[index]! as unknown as TemplateStringsArray, n)
      assert.equal(sum, index + n)
    }
    const some = Array.from({ length: 300 }, (_, n) => n)
    await Promise.all(
      some.map((n) =>
        transaction(db, (tx) => Promise.all([0, 5, 7, 1, 5].map((step) => add(tx, (n + step) % 12, n)))).then(() =>
          add(db, n % 12, n),
        ),
      ),
    )
    assert.deepEqual(said, [])
  })

  test('who sends statements again that were refused with another is not hung up on', async () => {
    const { db, said } = await behind({ names: 200, poolSize: 2 }, 1)
    let opened = 0
    db.pool.on('connect', () => opened++)
    const both = (tx: Pick<Database, 'run' | 'one'>, divisor: number) =>
      Promise.all([
        tx.run`select 1 / ${divisor}::int`,
        tx.one<{ n: number }>`select 3 as n`,
        tx.one<{ n: number }>`select 3 as n`,
      ])
    await assert.rejects(
      transaction(db, (tx) => both(tx, 0)),
      { code: '22012' },
    )
    await transaction(db, async (tx) => {
      await assert.rejects(
        savepoint(tx, () => both(tx, 0)),
        { code: '22012' },
      )
      assert.deepEqual((await both(tx, 1))[2], { n: 3 })
    })
    assert.deepEqual(await db.one`select 3 as n`, { n: 3 })
    assert.equal(opened, 1)
    assert.deepEqual(said, [])
  })

  test('a large statement arrives', async () => {
    const { db, said } = await behind({ names: 200, poolSize: 2 })
    const long = 'x'.repeat(3_000_000)
    for (let time = 0; time < 4; time++)
      assert.deepEqual(
        await Promise.all([1, 2].map(() => db.one`select length(${long}::text) as length`)),
        Array(2).fill({ length: 3_000_000 }),
      )
    assert.deepEqual(said, [])
  })

  test('while it is told to keep none any more, and to keep them again, nothing fails', async () => {
    const { bouncer, db, said } = await behind({ names: 200, poolSize: 3 }, 20)
    let isOver = false
    let calls = 0
    const working = (async () => {
      for (; !isOver; calls += 20) await count(db, 10_000 + calls, 20)
    })()
    await count(db, 5000, 20)
    await bouncer.keepNames(0)
    while (said.length === 0) await count(db, 100_000, 1)
    await bouncer.keepNames(200)
    await new Promise((resolve) => setTimeout(resolve, 100))
    isOver = true
    await working
    await counted(10_000, calls)
    assert.equal(said.length, 1, said.join())
  })
})
