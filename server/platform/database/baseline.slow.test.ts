import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openFor, restoreFile } from '../../../test/support/backups.ts'
import { emptyDatabase } from '../../../test/support/postgres.ts'
import { releaseArchive, restoreRelease } from '../../../test/support/releases/releases.ts'
import { checkArchive } from '../backups/open-archive.ts'
import { checkRelease } from '../backups/restore.ts'
import { BASELINE } from './baseline.ts'
import { migrateSchema, pendingMigrations } from './migrate.ts'
import { migrationNames } from './migration-files.ts'
import type { Database } from './pool.ts'

const archive = fileURLToPath(releaseArchive('0.1.1'))
const since = (await migrationNames()).filter((name) => name !== BASELINE)

async function asLeft(): Promise<Database> {
  const url = await emptyDatabase()
  await restoreRelease(url, archive)
  return openFor(url)
}

const applied = async (db: Database) =>
  (await db.many<{ name: string }>`select name from migrations order by name`).map(({ name }) => name)

test('the schema of 0.1.1 is the baseline, and needs no step', async () => {
  const db = await asLeft()
  assert.ok((await applied(db)).length > 80)
  assert.deepEqual(await pendingMigrations(db), since)
  await Promise.all([migrateSchema(db), migrateSchema(openFor(db.url))])
  assert.deepEqual(await applied(db), [BASELINE, ...since])
  assert.deepEqual(await applied(await restoreFile(archive)), [BASELINE, ...since])
})

test('an older schema is refused with the upgrade path, and so is its backup', async () => {
  const db = await asLeft()
  await db.run`delete from migrations where name = (select max(name) from migrations)`
  const before = await applied(db)
  await assert.rejects(migrateSchema(db), /older than release 0\.1\.1\. Start release 0\.1\.1 on it once/)
  await assert.rejects(pendingMigrations(db), /older than release 0\.1\.1/)
  assert.deepEqual(await applied(db), before)
  const manifest = await checkArchive(archive)
  const { migrations } = manifest
  await assert.rejects(
    checkRelease({ ...manifest, migrations: migrations.slice(0, -1) }),
    /older than release 0\.1\.1\. Restore it with release 0\.1\.1/,
  )
  const edited = migrations.map((one, at) => (at === 3 ? { ...one, hash: 'f'.repeat(64) } : one))
  await assert.rejects(checkRelease({ ...manifest, migrations: edited }), /older than release 0\.1\.1/)
})
