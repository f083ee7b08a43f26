import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { turnableClock } from '../../../test/support/app.ts'
import { aBackupFolder, openFor, restoreFile } from '../../../test/support/backups.ts'
import { ledgerServices } from '../../../test/support/ledger.ts'
import { emptyDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { queues } from '../../queues.ts'
import { BASELINE } from '../database/baseline.ts'
import { newId } from '../database/ids.ts'
import { migrateSchema, pendingMigrations } from '../database/migrate.ts'
import { migrationNames } from '../database/migration-files.ts'
import type { Database } from '../database/pool.ts'
import { prepareQueues } from '../jobs/queue.ts'
import { backUp } from './back-up.ts'
import { backUpBefore } from './before-migrating.ts'
import { checkArchive } from './open-archive.ts'
import { backUpWhenDue } from './scheduled.ts'

const NEXT = (await migrationNames()).find((name) => name > BASELINE)!

/** Creates an install of an earlier release. */
async function anOlderInstall() {
  const db = openFor(await emptyDatabase())
  await migrateSchema(db, { upTo: BASELINE })
  await prepareQueues(db, queues)
  await db.run`
    insert into accounts (id, name, public_id, created_at, updated_at) values (${newId()}, 'Old', 'old', now(), now())`
  return db
}

const into = (folder: string) => ({ backups: { folder, everyHours: 24, keep: 1 }, ledger: ['sales'] })
const migrateInto = (db: Database, folder: string) =>
  migrateSchema(db, {
    before: async (pending) => {
      await backUpBefore(db, pending, into(folder))
    },
  })

const zipsIn = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.zip')).sort()

test('an earlier release’s data is backed up with its schema, and restored by this release', async () => {
  const db = await anOlderInstall()
  const folder = await aBackupFolder()
  await migrateInto(db, folder)
  const [name, ...others] = await zipsIn(folder)
  assert.match(name!, /^tributary-\d{8}T\d{6}Z-before-0201\.zip$/)
  assert.deepEqual(others, [])
  const { migrations } = await checkArchive(join(folder, name!))
  assert.equal(migrations.at(-1)!.name, BASELINE)
  const copy = await restoreFile(join(folder, name!))
  assert.deepEqual(await copy.one`select name from accounts`, { name: 'Old' })
  assert.deepEqual(await pendingMigrations(copy), [])
})

test('a full disk stops the migration before anything is changed', async (t) => {
  const db = await anOlderInstall()
  const disk = join(await aBackupFolder(), 'small')
  await mkdir(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    t.skip('only root may mount a small disk')
    return
  }
  try {
    await assert.rejects(
      migrateInto(db, disk),
      /^StartRefusal: No backup could be made, so the schema was not changed\. There is no room left for \S+-before-0201\.zip\. Nothing was written/,
    )
    assert.deepEqual(await readdir(disk), [])
  } finally {
    execFileSync('umount', [disk])
  }
  assert.equal((await pendingMigrations(db))[0], NEXT)
  await assert.rejects(migrateInto(db, join(disk, 'none')), /No backup could be made.* There is no file or folder/)
})

test('repeatedly failing starts keep the backup from before the first and the newest', async () => {
  const clock = turnableClock()
  clock.stop('2026-11-20T12:00:00Z')
  const db = await freshDatabase({ clock })
  await db.run`
    insert into accounts (id, name, public_id, created_at, updated_at) values (${newId()}, 'One', 'one', now(), now())`
  const folder = await aBackupFolder()
  const [another, cutShort] = ['0072.zip', '0073.zip.part'].map((end) => `tributary-20261120T110000Z-before-${end}`)
  for (const name of [another, cutShort]) await writeFile(join(folder, name!), '')
  await utimes(join(folder, cutShort!), 0, 0)
  for (let start = 0; start < 4; start++) {
    await backUpBefore(db, ['0073-next.sql', '0074-more.sql'], into(folder))
    clock.advance(60_000)
  }
  assert.deepEqual(await zipsIn(folder), [
    another,
    'tributary-20261120T120000Z-before-0073.zip',
    'tributary-20261120T120300Z-before-0073.zip',
  ])
})

test('no backup is made of an empty database, or without a folder for it', async () => {
  const folder = await aBackupFolder()
  const db = await freshDatabase()
  assert.equal(await backUpBefore(db, ['0073-next.sql'], into(folder)), 'empty')
  assert.equal(await backUpBefore(openFor(await emptyDatabase()), ['0073-next.sql'], into(folder)), 'empty')
  assert.deepEqual(await readdir(folder), [])
  const older = await anOlderInstall()
  assert.equal(await backUpBefore(older, [NEXT], { backups: null, ledger: [] }), 'nowhere')
})

test('the schedule keeps a pre-migration backup until the new release has written a full set', async () => {
  const clock = turnableClock()
  clock.stop('2026-11-20T11:00:00Z')
  const services = ledgerServices(await freshDatabase({ clock }))
  const folder = await aBackupFolder()
  const set = { ...services, config: { ...services.config, backups: { folder, everyHours: 1, keep: 2 } } }
  const ours = 'tributary-20261120T110000Z-before-0001.zip'
  const ofANewerRelease = 'tributary-20261120T110000Z-before-9001.zip'
  const ofAnother = 'tributary-20261120T110000Z-before-0002.zip'
  for (const name of [ours, ofANewerRelease]) await backUp(services.db, join(folder, name), [])
  await writeFile(join(folder, ofAnother), 'of another install')
  clock.advance(3_600_000)
  const seen: string[][] = []
  for (let hour = 0; hour < 3; hour++) {
    await backUpWhenDue(set, [])
    seen.push((await readdir(folder)).filter((name) => name.includes('before')).sort())
    clock.advance(3_600_000)
  }
  assert.deepEqual(seen, [
    [ours, ofAnother, ofANewerRelease],
    [ofAnother, ofANewerRelease],
    [ofAnother, ofANewerRelease],
  ])
})
