import assert from 'node:assert/strict'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ADMINISTRATOR, administrator, eventually, startApp, turnableClock } from '../../../test/support/app.ts'
import { aBackupFolder } from '../../../test/support/backups.ts'
import { ledgerServices } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { checkArchive } from './open-archive.ts'
import { backupHealth } from './own-backups.ts'
import { backUpWhenDue } from './scheduled.ts'

const HOUR = 3_600_000

test('backups are written as often as wanted, and only the oldest of the clock\u2019s own are deleted', async () => {
  const clock = turnableClock('2026-11-20T12:00:10Z')
  clock.stop()
  const services = ledgerServices(await freshDatabase({ clock }))
  const folder = await aBackupFolder()
  const set = { ...services, config: { ...services.config, backups: { folder, everyHours: 2, keep: 2 } } }
  const strangers = ['notes.txt', 'tributary-mine.zip', 'tributary-20260101T000000Z.zip.bak']
  for (const name of strangers) await writeFile(join(folder, name), 'kept')
  await writeFile(join(folder, 'tributary-20261119T120000Z.zip.part'), 'cut short')

  await backUpWhenDue(services, [])
  assert.deepEqual(await own(folder), [], 'without BACKUP_DIR there is no schedule')
  const seen: string[][] = []
  for (let hour = 0; hour < 6; hour++) {
    await backUpWhenDue(set, [])
    seen.push(await own(folder))
    clock.advance(HOUR)
  }
  const healthAt = (time: string) => backupHealth(set.config, new Date(`2026-11-20T${time}Z`))
  const { newestBytes, ...health } = (await healthAt('21:00:00'))!
  assert.ok(newestBytes! > 1000)
  assert.deepEqual(health, { everyHours: 2, count: 2, newestAt: '2026-11-20T16:00:10.000Z', isOverdue: false })
  assert.equal((await healthAt('21:00:11'))!.isOverdue, true)
  assert.equal(await backupHealth(services.config, clock.now()), null)
  const [noon, two, four] = ['120010', '140010', '160010'].map((time) => `tributary-20261120T${time}Z.zip`)
  assert.deepEqual(seen, [[noon], [noon], [noon, two], [noon, two], [two, four], [two, four]])
  for (const name of strangers) assert.ok((await readdir(folder)).includes(name), name)
  await checkArchive(join(folder, four!))
})

test('where a backup cannot be written the earlier ones stay, and the failure says what to do', async () => {
  const services = ledgerServices(await freshDatabase())
  const folder = join(await aBackupFolder(), 'unmounted')
  const backups = { folder, everyHours: 24, keep: 1 }
  await assert.rejects(
    backUpWhenDue({ ...services, config: { ...services.config, backups } }, []),
    /There is no file or folder \S+unmounted\. Earlier backups are as they were\./,
  )
})

test('administrators are told by mail once while backups fail, and again when they fail anew', async () => {
  const folder = await aBackupFolder()
  const missing = join(folder, 'unmounted')
  const app = await startApp({
    worker: true,
    config: { backups: { folder: missing, everyHours: 1, keep: 1 }, logLevel: 'silent' },
  })
  const { services } = app
  await administrator(app)
  await services.db.run`insert into install (key_check) values ('') on conflict do nothing`
  const mails = () => services.db.many<{ email: string; state: string }>`
    select email, state from mails where kind = 'backup-failed' and state <> 'waiting' order by created_at`
  const fail = () => assert.rejects(backUpWhenDue(services, []), /unmounted/)
  await fail()
  await fail()
  const told = { email: ADMINISTRATOR.email, state: 'kept' }
  await eventually(async () => (await mails()).length > 0)
  await fail()
  await mkdir(missing)
  await backUpWhenDue(services, [])
  app.clock.advance(HOUR)
  await rm(missing, { recursive: true })
  await fail()
  await eventually(async () => (await mails()).length > 1)
  assert.deepEqual(await mails(), [told, told])
})

const own = async (folder: string) =>
  (await readdir(folder))
    .filter((name) => /^tributary-\d{8}T\d{6}Z\.zip(\.part)?$/.test(name) && !name.startsWith('tributary-20261119'))
    .sort()
