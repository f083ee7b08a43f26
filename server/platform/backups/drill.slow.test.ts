import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { aBackupFolder, databaseAt, restoreFile } from '../../../test/support/backups.ts'
import { aLedger, aSale, ledgerServices } from '../../../test/support/ledger.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { recordSales } from '../../program/sales/record-sale.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { startEmbedded } from '../database/embedded.ts'
import { openDatabase, transaction } from '../database/pool.ts'
import { backUp } from './back-up.ts'

const SALES = 100_000
const COPIES = 19
/** Bytes, far less than the rows take. */
const MOST_MEMORY = 120_000_000

const db = await freshDatabase()
const ledger = await aLedger(ledgerServices(db), {
  partners: [{}, { parent: 0 }],
  leads: [{ partner: 1 }],
  rates: ['10', '5'],
})

/** Books sales one by one, and copies each many times. */
async function sellMuch() {
  const sales = Array.from({ length: SALES / (COPIES + 1) }, (_, at) => aSale(ledger, { amount: 10_00 + at }))
  await transaction(db, (tx) => recordSales(tx, sales))
  const copied = (table: string, changes: string) => `
    insert into ${table} select copy.*
    from ${table} t, generate_series(1, ${COPIES}) n, jsonb_populate_record(t, jsonb_build_object(${changes})) copy`
  const id = (column: string) => `'${column}', md5(n || t.${column}::text)`
  const more = (table: string, ...columns: string[]) =>
    `update ${table} set ${columns.map((one) => `${one} = ${one} * ${COPIES + 1}`).join(', ')}`
  for (const statement of [
    copied(
      'sales',
      `${id('id')}, 'external_id', n || t.external_id, 'sequence', t.sequence + n * ${SALES / (COPIES + 1)}`,
    ),
    copied('commission_entries', `${id('id')}, ${id('sale_id')}`),
    more('day_stats', 'sales', 'revenue', 'share'),
    more('total_stats', 'sales', 'revenue', 'share'),
    more('month_stats', 'sales', 'revenue', 'earned'),
    more('lead_stats', 'sales', 'revenue', 'share'),
  ])
    await asDatabaseOwner(db).pool.query({ text: `set statement_timeout = 0; ${statement}` })
}
await sellMuch()

/** Returns the peak of additional memory of the process, in bytes. */
async function heightOf(work: () => Promise<unknown>) {
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  await work().finally(() => clearInterval(watch))
  return most - before
}

test('a drill restores 100,000 sales with equal digests, a consistent ledger and steady memory', async (t) => {
  const file = join(await aBackupFolder(), 'drill.zip')
  const startedAt = performance.now()
  let digests: string[] = []
  const height = await heightOf(async () => {
    const { digest, tables } = await backUp(db, file, [])
    assert.equal(tables.sales!.rows, SALES)
    const copy = await restoreFile(file, undefined, async (tx) => assert.deepEqual(await verifyLedger(tx), []))
    digests = [digest, (await backUp(copy, `${file}.again`, [])).digest]
  })
  assert.equal(digests[0], digests[1])
  assert.ok(height < MOST_MEMORY, `${height} bytes`)
  t.diagnostic(`${Math.round(performance.now() - startedAt)} ms, ${Math.round(height / 1e6)} MB more`)
})

/** Mounts a disk of this size; undefined without the right to mount. */
async function aDiskOf(megabytes: number) {
  const folder = await aBackupFolder()
  const disk = join(folder, 'disk')
  await mkdir(disk)
  await chmod(folder, 0o755)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  // before its folder is removed
  return { disk, remove: () => execFileSync('umount', [disk]) }
}
const NO_DISK = 'only root may mount a small disk'

test('a disk that fills up is reported, the partial backup is deleted, and the database connection is freed', async (t) => {
  const small = await aDiskOf(1)
  if (!small) return t.skip(NO_DISK)
  const { disk } = small
  try {
    await assert.rejects(
      backUp(db, join(disk, 'one.zip'), []),
      /There is no room left for \S+one\.zip\. Nothing was written, and earlier backups are as they were\. Make room/,
    )
    assert.deepEqual(await readdir(disk), [])
  } finally {
    small.remove()
  }
  const again = openDatabase({ ...databaseAt(db.url), max: 1 })
  const { open } = await again.one<{ open: number }>`
    select count(*) as open from pg_stat_activity
    where datname = current_database() and query like 'copy%' and state = 'active'`
  await again.close()
  assert.equal(open, 0)
})

test('a restore that fills the database’s disk says so, leaves it empty, and succeeds once there is space', async (t) => {
  const file = join(await aBackupFolder(), 'none.zip')
  await backUp(await freshDatabase(), file, [])
  const small = await aDiskOf(500)
  if (!small) return t.skip(NO_DISK)
  try {
    const { url, stop } = await startEmbedded({ dataDir: join(small.disk, 'data'), log: pino({ level: 'silent' }) })
    try {
      const other = join(small.disk, 'other')
      const { bavail, bsize } = await statfs(small.disk)
      await writeFile(other, Buffer.alloc(bavail * bsize - 1_000_000))
      await assert.rejects(
        restoreFile(file, url),
        /Refusal: The disk of the database is full.* Nothing was (restored|lost)\. Make room there and try again\.$/,
      )
      await rm(other)
      const copy = await restoreFile(file, url)
      assert.deepEqual(await copy.many`select name from accounts`, [])
    } finally {
      await stop()
    }
  } finally {
    small.remove()
  }
})
