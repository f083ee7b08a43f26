import assert from 'node:assert/strict'
import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ADMINISTRATOR, getAdministratorToken, startApp, turnableClock, waitUntil } from '../../../test/support/app.ts'
import { aBackupFolder } from '../../../test/support/backups.ts'
import { ledgerServices } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { checkKey } from '../database/key-check.ts'
import { createSecrets } from '../database/secrets.ts'
import { checkArchive } from './open-archive.ts'
import { backupHealth } from './own-backups.ts'
import { backUpWhenDue } from './scheduled.ts'

const HOUR = 3_600_000

test('backups are written as often as configured, and only the oldest scheduled ones are deleted', async () => {
  const clock = turnableClock()
  clock.stop('2026-11-20T12:00:10Z')
  const services = ledgerServices(await freshDatabase({ clock }))
  const folder = await aBackupFolder()
  const set = { ...services, config: { ...services.config, backups: { folder, everyHours: 2, keep: 2 } } }
  const strangers = ['notes.txt', 'tributary-mine.zip', 'tributary-20260101T000000Z.zip.bak']
  for (const name of strangers) await writeFile(join(folder, name), 'kept')
  const cutShort = join(folder, 'tributary-20261119T120000Z.zip.part')
  await writeFile(cutShort, 'cut short')
  await utimes(cutShort, 0, 0)

  await backUpWhenDue(services, [])
  assert.deepEqual(await own(folder), [], 'without BACKUP_DIR there is no schedule')
  const seen: string[][] = []
  for (let hour = 0; hour < 6; hour++) {
    await backUpWhenDue(set, [])
    seen.push(await own(folder))
    clock.advance(HOUR)
  }
  const healthAt = (time: string) => backupHealth(services.db, set.config, new Date(`2026-11-20T${time}Z`))
  const { newestBytes, ...health } = (await healthAt('21:00:00'))!
  assert.ok(newestBytes! > 1000)
  assert.deepEqual(health, { everyHours: 2, count: 2, newestAt: '2026-11-20T16:00:10.000Z', isOverdue: false })
  assert.equal((await healthAt('21:00:11'))!.isOverdue, true)
  assert.equal(await backupHealth(services.db, services.config, clock.now()), null)
  const [noon, two, four] = ['120010', '140010', '160010'].map((time) => `tributary-20261120T${time}Z.zip`)
  assert.deepEqual(seen, [[noon], [noon], [noon, two], [noon, two], [two, four], [two, four]])
  for (const name of strangers) assert.ok((await readdir(folder)).includes(name), name)
  await checkArchive(join(folder, four!))
})

test('only this install\u2019s own backups count, and nothing else in the folder is deleted or overwritten', async () => {
  const clock = turnableClock()
  clock.stop('2026-11-20T12:00:10Z')
  const folder = await aBackupFolder()
  const anInstall = async (key: number) => {
    const services = ledgerServices(await freshDatabase({ clock }))
    await checkKey(services.db, createSecrets(Buffer.alloc(32, key)))
    return { ...services, config: { ...services.config, backups: { folder, everyHours: 1, keep: 2 } } }
  }
  // two installs in one folder, sealed with the same key like a copy
  const [ours, theirs] = [await anInstall(7), await anInstall(7)]
  const precious = ['10', '11', '12', '13'].map((day) => `tributary-202611${day}T030000Z.zip`)
  for (const name of [...precious, 'tributary-20261110T030000Z-before-0001.zip'])
    await writeFile(join(folder, name), 'precious')
  await writeFile(join(folder, 'tributary-20261120T115500Z.zip'), '')
  await backUpWhenDue(theirs, [])
  const written = (await readdir(folder)).sort()
  const [theirBackup] = written.filter((name) => name.includes('20261120T120010Z'))
  await copyFile(join(folder, theirBackup!), join(folder, 'tributary-20271120T120010Z.zip'))
  await writeFile(join(folder, 'tributary-20261120T120500Z.zip.part'), 'being written')
  clock.advance(1000)
  await backUpWhenDue(ours, [])
  await copyFile(join(folder, 'tributary-20261120T120011Z.zip'), join(folder, 'tributary-20281120T120011Z.zip'))
  const kept = (await readdir(folder)).sort()
  assert.equal(kept.length, written.length + 4)
  for (let hour = 1; hour <= 4; hour++) {
    clock.advance(HOUR)
    await backUpWhenDue(ours, [])
    assert.equal((await stat(join(folder, `tributary-20261120T${12 + hour}0011Z.zip`))).size > 1000, true)
  }
  const left = (await readdir(folder)).sort()
  const own = ['120011', '150011', '160011'].map((time) => `tributary-20261120T${time}Z.zip`)
  assert.deepEqual(left, [...kept.filter((name) => !own.includes(name)), own[1], own[2]].sort())
  for (const name of precious) assert.equal(await readFile(join(folder, name), 'utf8'), 'precious')

  const health = async ({ db, config }: typeof ours) => (await backupHealth(db, config, clock.now()))!
  const [ourHealth, theirHealth] = [await health(ours), await health(theirs)]
  assert.deepEqual([ourHealth.count, ourHealth.newestAt, ourHealth.isOverdue], [2, '2026-11-20T16:00:11.000Z', false])
  assert.deepEqual([theirHealth.count, theirHealth.newestAt], [1, '2026-11-20T12:00:10.000Z'])

  // a truncated backup no longer counts
  await truncate(join(folder, own[2]!), 2000)
  assert.equal((await health(ours)).newestAt, '2026-11-20T15:00:11.000Z')
})

test('if a backup cannot be written the earlier ones stay, and the error says what to do', async () => {
  const services = ledgerServices(await freshDatabase())
  const folder = join(await aBackupFolder(), 'unmounted')
  const backups = { folder, everyHours: 24, keep: 1 }
  await assert.rejects(
    backUpWhenDue({ ...services, config: { ...services.config, backups } }, []),
    /There is no file or folder \S+unmounted\. Earlier backups are as they were\./,
  )
})

test('a list of erasures that cannot be read fails a backup before anything is written', async () => {
  const services = ledgerServices(await freshDatabase())
  const folder = await aBackupFolder()
  const backups = { folder, everyHours: 1, keep: 1 }
  // unreadable also for root, unlike the file of another user
  await mkdir(join(folder, 'erased.jsonl'))
  await assert.rejects(
    backUpWhenDue({ ...services, config: { ...services.config, backups } }, []),
    /erased\.jsonl can’t be read or written \(EISDIR\)\. Nothing was changed\./,
  )
  assert.deepEqual(await readdir(folder), ['erased.jsonl'])
})

test('administrators get one mail while backups fail, and another if they fail again later', async () => {
  const folder = await aBackupFolder()
  const missing = join(folder, 'unmounted')
  const app = await startApp({
    worker: true,
    config: { backups: { folder: missing, everyHours: 1, keep: 1 }, logLevel: 'silent' },
  })
  const { services } = app
  await getAdministratorToken(app)
  await services.db.run`insert into install (key_check) values ('') on conflict do nothing`
  const mails = () => services.db.many<{ email: string; state: string }>`
    select email, state from mails where kind = 'backup-failed' and state <> 'waiting' order by created_at`
  const fail = () => assert.rejects(backUpWhenDue(services, []), /unmounted/)
  await fail()
  await fail()
  const notice = { email: ADMINISTRATOR.email, state: 'kept' }
  await waitUntil(async () => (await mails()).length > 0)
  await fail()
  await mkdir(missing)
  await backUpWhenDue(services, [])
  app.clock.advance(HOUR)
  await rm(missing, { recursive: true })
  await fail()
  await waitUntil(async () => (await mails()).length > 1)
  assert.deepEqual(await mails(), [notice, notice])
})

const own = async (folder: string) =>
  (await readdir(folder))
    .filter((name) => /^tributary-\d{8}T\d{6}Z\.zip(\.part)?$/.test(name) && !name.startsWith('tributary-20261119'))
    .sort()
