import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { openFor } from '../../../test/support/backups.ts'
import { emptyDatabase } from '../../../test/support/postgres.ts'
import { StartRefusal } from '../config/start-refusal.ts'
import { migrateSchema } from './migrate.ts'
import { type Database, transaction } from './pool.ts'

/** Creates a folder of migrations by name, deleted at the end of the test file. */
async function aFolder(files: Record<string, string>) {
  const path = await mkdtemp(join(tmpdir(), 'tributary-migrations-'))
  after(() => rm(path, { recursive: true, force: true }))
  const write = async (more: Record<string, string>) => {
    for (const [name, text] of Object.entries(more)) await writeFile(join(path, `${name}.sql`), `${text}\n`)
  }
  await write(files)
  return { folder: pathToFileURL(`${path}/`), write }
}

const aDatabase = async () => openFor(await emptyDatabase())

/** Another client's connection. */
async function somebody(db: Database) {
  const client = new pg.Client({ connectionString: db.url, application_name: 'somebody' })
  client.on('error', () => {})
  await client.connect()
  after(() => client.end().catch(() => {}))
  return client
}

const appliedTo = async (db: Database) =>
  (await db.many<{ name: string }>`select name from migrations order by name`).map(({ name }) => name.slice(0, 4))

const people = {
  '0001-people':
    "create table people (id int primary key, name text); insert into people values (1, 'Ada'), (2, 'Max')",
}

const marked = {
  '0002-index': `-- outside a transaction
-- found by name
create index concurrently if not exists people_name on people (name);

drop index concurrently if exists people_former;

-- in batches
update people set name = upper(name) where id in (select id from people where name <> upper(name) limit 1);`,
}

const isValid = async (db: Database, index: string) =>
  (
    await db.maybe<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${index})`
  )?.valid

test('a failing migration keeps the earlier ones, leaves nothing itself, and once fixed is the next', async () => {
  const db = await aDatabase()
  const { folder, write } = await aFolder(people)
  await migrateSchema(db, { folder })
  await write({
    '0002-towns': 'create table towns (id int)',
    '0003-houses': 'create table houses (id int); insert into houses values (1 / 0)',
    '0004-streets': 'create table streets (id int)',
  })
  await assert.rejects(
    migrateSchema(db, { folder }),
    (error) => error instanceof StartRefusal && /^Migration 0003-houses\.sql .*division by zero/.test(error.message),
  )
  assert.deepEqual(await appliedTo(db), ['0001', '0002'])
  assert.deepEqual(await db.one`select to_regclass('houses') as houses`, { houses: null })
  await write({ '0003-houses': 'create table houses (id int)' })
  await migrateSchema(db, { folder })
  assert.deepEqual(await appliedTo(db), ['0001', '0002', '0003', '0004'])
})

test('an empty database gets all migrations or none, even if three processes start at once', async () => {
  const db = await aDatabase()
  const { folder, write } = await aFolder({ ...people, ...marked, '0003-houses': 'select 1 / 0' })
  await assert.rejects(migrateSchema(db, { folder }), /^StartRefusal: Migration 0003-houses\.sql .*division by zero/)
  assert.deepEqual(await db.one`select to_regclass('migrations') as found`, { found: null })
  await write({ '0003-houses': 'create table houses (id int)' })
  await Promise.all([db, openFor(db.url), openFor(db.url)].map((one) => migrateSchema(one, { folder })))
  assert.deepEqual(await appliedTo(db), ['0001', '0002', '0003'])
})

test('of three concurrent starts one prepares and migrates, and the others find it done', async () => {
  const db = await aDatabase()
  const { folder, write } = await aFolder(people)
  const before: string[][] = []
  const note = async (pending: string[]) => void before.push(pending)
  await migrateSchema(db, { folder, before: note })
  assert.deepEqual(before, [], 'there was nothing before')
  await write({ '0002-more': "select pg_sleep(0.4); insert into people values (3, 'Eve')" })
  const others = [openFor(db.url), openFor(db.url)]
  await Promise.all([db, ...others].map((one) => migrateSchema(one, { folder, before: note })))
  assert.deepEqual(before, [['0002-more.sql']])
  assert.deepEqual(await db.one`select count(*) from people`, { count: 3 })

  await write({ '0003-more': 'drop table people' })
  const refused = () => Promise.reject(new StartRefusal('no room'))
  await assert.rejects(migrateSchema(db, { folder, before: refused }), /no room/)
  assert.deepEqual(await appliedTo(db), ['0001', '0002'])
})

test('an edited file and a database of a newer release are refused, with what to do', async () => {
  const db = await aDatabase()
  const { folder, write } = await aFolder({ ...people, '0002-towns': 'create table towns (id int)' })
  await migrateSchema(db, { folder })
  await assert.rejects(
    migrateSchema(db, { folder, upTo: '0001-people.sql' }),
    /holds migration 0002-towns\.sql, which this release doesn’t know\. Start the release that applied it, or a newer/,
  )
  await write({ '0002-towns': 'create table towns (id bigint)', '0003-streets': 'create table streets (id int)' })
  await assert.rejects(
    migrateSchema(db, { folder }),
    /0002-towns\.sql was changed after it was applied; install this release/,
  )
  assert.deepEqual(await appliedTo(db), ['0001', '0002'])
})

test('a database whose migrations are those of another program is refused, and left alone', async () => {
  const db = await aDatabase()
  await db.run`create table migrations (id int primary key, migration text, batch int)`
  const { folder } = await aFolder(people)
  await assert.rejects(migrateSchema(db, { folder }), (error) => {
    assert.ok(error instanceof StartRefusal)
    assert.match(error.message, /^The database holds another program’s table “migrations”\./)
    return true
  })
  assert.equal((await db.one<{ found: string | null }>`select to_regclass('people') as found`).found, null)
})

test('indexes are built and rows filled in batches outside a transaction, or in one from the same file', async () => {
  const { folder, write } = await aFolder(people)
  const [alone, within] = [await aDatabase(), await aDatabase()]
  await migrateSchema(alone, { folder })
  await write(marked)
  await migrateSchema(alone, { folder })
  await transaction(within, (tx) => migrateSchema(tx, { folder }))
  for (const db of [alone, within]) {
    assert.equal(await isValid(db, 'people_name'), true)
    assert.deepEqual(await db.many`select name from people order by id`, [{ name: 'ADA' }, { name: 'MAX' }])
    assert.deepEqual(await appliedTo(db), ['0001', '0002'])
  }
})

test('a full disk is reported, with what to do', async () => {
  const db = await aDatabase()
  const { folder } = await aFolder({
    ...people,
    '0002-full': `do $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
  })
  await assert.rejects(
    migrateSchema(db, { folder }),
    /^StartRefusal: The disk of the database is full, so migration 0002-full\.sql could not be applied\. Nothing was lost\./,
  )
})

test('a statement that is unsafe to repeat is refused outside a transaction', async () => {
  const db = await aDatabase()
  for (const statement of [
    'alter table people add column age int',
    'create index concurrently people_age on people (id)',
    'create index if not exists people_age on people (id)',
    "update people set name = 'x'",
  ]) {
    const { folder } = await aFolder({ ...people, '0002-odd': `-- outside a transaction\n${statement};` })
    await assert.rejects(migrateSchema(db, { folder }), /0002-odd\.sql: outside a transaction there is/, statement)
  }
})

/** Migrates in its own process, killed during a statement like this one. */
async function killedIn(db: Database, folder: URL, statement: string) {
  const script = `
    import { migrateSchema } from '${new URL('./migrate.ts', import.meta.url)}'
    import { openDatabase } from '${new URL('./pool.ts', import.meta.url)}'
    await migrateSchema(openDatabase({ url: '${db.url}', log: console, max: 2 }), { folder: new URL('${folder}') })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  const find = () => db.maybe<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and query like ${`${statement}%`}`
  let backend: { pid: number } | undefined
  for (; !backend && child.exitCode === null; await sleep(5)) backend = await find()
  child.kill('SIGKILL')
  const [, signal] = await gone
  assert.equal(signal, 'SIGKILL', 'it ended before it was killed')
  return backend!.pid
}

test('a process killed in a transaction leaves nothing, and the next start applies the migration', async () => {
  const db = await aDatabase()
  const { folder, write } = await aFolder(people)
  await migrateSchema(db, { folder })
  await write({
    '0002-slow': "insert into people values (3, 'Eve'); select pg_sleep(0.5); create table towns (id int)",
  })
  await killedIn(db, folder, 'insert into people')
  assert.deepEqual(await appliedTo(db), ['0001'])
  // waits until PostgreSQL has noticed
  await migrateSchema(db, { folder })
  assert.deepEqual(await appliedTo(db), ['0001', '0002'])
  assert.deepEqual(await db.one`select count(*) from people`, { count: 3 })
})

test('after a process is killed while building an index, the next waits for it and rebuilds an invalid one', async () => {
  const db = await aDatabase()
  const { folder, write } = await aFolder(people)
  await migrateSchema(db, { folder })
  await write(marked)
  const reader = await somebody(db)
  await reader.query('begin; insert into people values (3, $$Eve$$)')
  const backend = await killedIn(db, folder, 'create index concurrently')
  // like a restart of PostgreSQL
  await db.run`select pg_terminate_backend(${backend}, 5000)`
  await reader.query('rollback')
  assert.equal(await isValid(db, 'people_name'), false)
  await migrateSchema(db, { folder })
  assert.equal(await isValid(db, 'people_name'), true)

  await db.run`delete from migrations where name like '0002%'`
  await migrateSchema(db, { folder })
  assert.deepEqual(await appliedTo(db), ['0001', '0002'], 'also where it died before its line')
})

test('a process killed between batches leaves the completed ones, and the next start does the rest', async () => {
  const db = await aDatabase()
  const { folder, write } = await aFolder(people)
  await migrateSchema(db, { folder })
  await write({
    '0002-fill': `-- outside a transaction
-- in batches
with slow as (select pg_sleep(0.3)) update people set name = upper(name)
from slow where id in (select id from people where name <> upper(name) order by id limit 1);`,
  })
  await killedIn(db, folder, 'with slow')
  const { count } = await db.one<{ count: number }>`select count(*) from people where name = upper(name)`
  assert.ok(count < 2)
  await migrateSchema(db, { folder })
  assert.deepEqual(await db.many`select name from people order by id`, [{ name: 'ADA' }, { name: 'MAX' }])
})

/** Reads and writes the table repeatedly; returns the longest duration. */
function usedBy(client: pg.Client) {
  let isOver = false
  const using = (async () => {
    let longest = 0
    for (let turn = 10; !isOver; turn++) {
      const startedAt = performance.now()
      await client.query('insert into people (id, name) values ($1, $$x$$)', [turn])
      await client.query('select count(name) from people')
      longest = Math.max(longest, performance.now() - startedAt)
      await sleep(5)
    }
    return longest
  })()
  return () => {
    isOver = true
    return using
  }
}

const ageing = { '0002-age': 'alter table people add column age int not null default 0' }
const BITE_MS = 100

test('a busy table is locked in short attempts, so that others can still read and write it', async () => {
  const db = await aDatabase()
  const { folder, write } = await aFolder(people)
  await migrateSchema(db, { folder })
  await write(ageing)
  const [reader, other] = [await somebody(db), await somebody(db)]
  await reader.query('begin; select name from people')
  const stop = usedBy(other)
  const letGo = sleep(3000).then(() => reader.query('rollback'))
  await migrateSchema(db, { folder, patience: { biteMs: BITE_MS, pauseMs: 200, totalMs: 30_000 } })
  const longest = await stop()
  await letGo
  assert.deepEqual(await appliedTo(db), ['0001', '0002'])
  assert.ok(longest < 2000, `${longest} ms`)
})

test('when time runs out the table and the holder of its lock are named, and nothing has changed', async () => {
  const db = await aDatabase()
  const { folder, write } = await aFolder(people)
  await migrateSchema(db, { folder })
  await write(ageing)
  const reader = await somebody(db)
  const { rows } = await reader.query('select pg_backend_pid() as pid')
  await reader.query('begin; select name from people')
  const { pid } = rows[0]
  await assert.rejects(
    migrateSchema(db, { folder, patience: { biteMs: BITE_MS, pauseMs: 50, totalMs: 1000 } }),
    new RegExp(
      `^StartRefusal: Migration 0002-age\\.sql could not lock people within 1 second: session ${pid} \\(role .*somebody, idle in transaction.*\\) holds it\\. Wait .*pg_terminate_backend\\(${pid}\\)`,
    ),
  )
  assert.deepEqual(await appliedTo(db), ['0001'])
  await reader.query('rollback')
  await migrateSchema(db, { folder })
  assert.deepEqual(await appliedTo(db), ['0001', '0002'])
})
