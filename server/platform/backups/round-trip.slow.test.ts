import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { aBackupFolder, databaseAt, openFor, restoreFile } from '../../../test/support/backups.ts'
import { aLedger, aSale, ledgerServices } from '../../../test/support/ledger.ts'
import { ledgerHistory } from '../../../test/support/ledger-history.ts'
import { emptyDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { payOutQueue } from '../../program/payouts/queue.ts'
import { recordSale } from '../../program/sales/record-sale.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { BASELINE } from '../database/baseline.ts'
import { newId } from '../database/ids.ts'
import { migrateSchema } from '../database/migrate.ts'
import { type Database, type Queryable, transaction } from '../database/pool.ts'
import { prepareQueues } from '../jobs/queue.ts'
import { backUp } from './back-up.ts'
import { checkArchive } from './open-archive.ts'
import { checkRelease } from './restore.ts'

const LEDGER = ['sales', 'commission_entries']

/** Returns a table's constraints, triggers and indexes. */
const strictness = async (db: Queryable) => ({
  indexes: await db.many`
    select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition,
      i.indisvalid, i.indisprimary, i.indimmediate
    from pg_index i join pg_class t on t.oid = i.indrelid where t.relnamespace = 'public'::regnamespace order by 1, 2`,
  constraints: await db.many`
    select conrelid::regclass::text as table, conname::text as name, pg_get_constraintdef(oid) as definition, convalidated
    from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
  triggers: await db.many`
    select tgrelid::regclass::text as table, tgname::text as name, tgenabled::text as enabled from pg_trigger
    where not tgisinternal and tgrelid::regclass::text not like 'pgboss%' order by 1, 2`,
})

async function aFilledInstall() {
  const db = await freshDatabase()
  await ledgerHistory(db)
  const services = ledgerServices(db)
  const payoutId = newId()
  await transaction(db, (tx) => services.jobs.add(tx, payOutQueue, { payoutId }))
  await services.jobs.stop({ graceful: false })
  const [long, ago, later] = ['2019-01-01', '2025-06-01', '2031-01-01']
  for (const day of [long, ago, later])
    await db.run`
      insert into clicks (id, account_id, day, source, is_bot, at)
      select first_id_at(${day}::timestamptz), id, ${day}, 'push', true, ${day}::timestamptz from accounts limit 1`
  return { db, services, payoutId }
}

test('restores into two databases of one server never wait for each other', async () => {
  const file = join(await aBackupFolder(), 'one.zip')
  await backUp(await freshDatabase(), file, [])
  const [one, other] = await Promise.all([emptyDatabase(), emptyDatabase()])
  await restoreFile(file, one, () => restoreFile(file, other))
})

test('a backup taken while sales are booked is a consistent snapshot, and restores every table as it was', async () => {
  const { db, services, payoutId } = await aFilledInstall()
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  let isOver = false
  let booked = 0
  const booking = (async () => {
    for (; !isOver; booked++) await recordSale(db, aSale(ledger, { amount: 10_00 }))
  })()
  const file = join(await aBackupFolder(), 'one.zip')
  const manifest = await backUp(db, file, LEDGER)
  isOver = true
  await booking
  assert.ok(booked > 0)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(await checkArchive(file), manifest)

  let differences: unknown
  const copy = await restoreFile(file, undefined, async (tx) => {
    differences = await verifyLedger(tx)
  })
  assert.deepEqual(differences, [])
  const again = await backUp(copy, `${file}.again`, LEDGER)
  assert.deepEqual(again.tables, manifest.tables)
  assert.deepEqual([again.digest, again.ledgerDigest], [manifest.digest, manifest.ledgerDigest])
  assert.deepEqual(await strictness(copy), await strictness(db))
  const job = await copy.one<{ data: object }>`select data from pgboss.job where name = ${payOutQueue.name}`
  assert.deepEqual(job.data, { payoutId })
  await assert.rejects(copy.run`update commission_entries set amount = 1`, /append-only|never|changed/i)
  await assert.rejects(restoreFile(file, copy.url), /The database isn’t empty: it holds \d+ tables, such as account/)
})

test('an incomplete backup is refused before anything is written', async () => {
  const { db } = await aFilledInstall()
  const folder = await aBackupFolder()
  const file = join(folder, 'one.zip')
  await backUp(db, file, LEDGER)
  const bytes = await readFile(file)
  const changed = (at: number) => {
    const copy = Buffer.from(bytes)
    copy[at]! ^= 1
    return copy
  }
  const refused: [name: string, content: Buffer, words: RegExp][] = [
    ['half', bytes.subarray(0, bytes.length / 2), /only the beginning of one/],
    ['all but one byte', bytes.subarray(0, -1), /only the beginning of one|damaged/],
    ['empty', Buffer.alloc(0), /isn’t a backup that Tributary wrote/],
    ['other', Buffer.from('hello'.repeat(100)), /isn’t a backup that Tributary wrote/],
    ...[0, 40, bytes.length >> 1, bytes.length - 200, bytes.length - 1].map((at): [string, Buffer, RegExp] => [
      `flipped ${at}`,
      changed(at),
      /damaged|isn’t a backup/,
    ]),
  ]
  const target = await emptyDatabase()
  for (const [name, content, words] of refused) {
    const path = join(folder, name)
    await writeFile(path, content)
    await assert.rejects(checkArchive(path), words, name)
    await assert.rejects(restoreFile(path, target), words, name)
  }
  assert.deepEqual(await openFor(target).one`select to_regclass('migrations') as found`, { found: null })
  await assert.rejects(backUp(db, file, LEDGER), /one\.zip already exists\. Choose another name\.$/)
  await assert.rejects(backUp(db, join(folder, 'none', 'x.zip'), LEDGER), /There is no file or folder/)
  await assert.rejects(backUp(databaseAt(target), join(folder, 'x.zip'), LEDGER), /There is nothing to back up/)
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.endsWith('.part')),
    [],
  )
})

/** Creates a database as left by an earlier release. */
async function anOlderInstall(upTo: string): Promise<Database> {
  const db = openFor(await emptyDatabase())
  await migrateSchema(db, { upTo })
  await prepareQueues(db, [])
  return db
}

test('a backup of an older release is migrated to this one, and one of a newer release is refused', async () => {
  const db = await anOlderInstall(BASELINE)
  await db.run`
    insert into accounts (id, name, public_id, created_at, updated_at) values (${newId()}, 'Old', 'old', now(), now())`
  const file = join(await aBackupFolder(), 'old.zip')
  const manifest = await backUp(db, file, LEDGER)
  const copy = await restoreFile(file)
  assert.deepEqual(await copy.one`select name from accounts`, { name: 'Old' })
  const { count } = await copy.one<{ count: number }>`select count(*) from migrations`
  assert.ok(count > manifest.migrations.length)
  const newer = [...manifest.migrations, { name: '9999-tomorrow.sql', hash: 'f'.repeat(64) }]
  await assert.rejects(
    checkRelease({ ...manifest, version: '9.0.0', migrations: newer }),
    /made by release 9\.0\.0, .* newer than this release knows\. Install that release/,
  )
})

test('of two concurrent restores into one database one is refused, and the other is complete', async () => {
  const { db } = await aFilledInstall()
  const file = join(await aBackupFolder(), 'one.zip')
  const { digest } = await backUp(db, file, LEDGER)
  const target = await emptyDatabase()
  const outcomes = await Promise.allSettled([restoreFile(file, target), restoreFile(file, target)])
  const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  assert.equal(reasons.length, 1, reasons.join())
  assert.match(reasons[0]!, /Another restore, or a start, is at work|isn’t empty/)
  assert.equal((await backUp(databaseAt(target), `${file}.again`, LEDGER)).digest, digest)
})

test('a restore that fails at its end leaves the database empty', async () => {
  const { db } = await aFilledInstall()
  const file = join(await aBackupFolder(), 'one.zip')
  await backUp(db, file, LEDGER)
  const target = await emptyDatabase()
  await assert.rejects(
    restoreFile(file, target, () => Promise.reject(new Error('planted'))),
    /planted/,
  )
  const copy = await restoreFile(file, target)
  assert.equal((await copy.many`select from sales`).length, (await db.many`select from sales`).length)
})
