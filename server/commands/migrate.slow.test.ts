import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { aBackupFolder, openFor } from '../../test/support/backups.ts'
import { emptyDatabase } from '../../test/support/postgres.ts'
import { runProduct } from '../../test/support/process.ts'
import { BASELINE } from '../platform/database/baseline.ts'
import { newId } from '../platform/database/ids.ts'
import { migrateSchema, pendingMigrations } from '../platform/database/migrate.ts'
import { countInWords } from '../platform/format-values.ts'
import { prepareQueues } from '../platform/jobs/queue.ts'
import { queues } from '../queues.ts'

const script = fileURLToPath(new URL('../tributary.js', import.meta.url))
const key = randomBytes(32).toString('base64')

type Outcome = { code: number; stdout: string; stderr: string }
const run = (env: NodeJS.ProcessEnv, ...given: string[]): Promise<Outcome> =>
  promisify(execFile)(process.execPath, [script, 'migrate', ...given], {
    env: { PATH: process.env.PATH, ...env },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

/** An install of an earlier release, by its variables. */
async function anOlderInstall() {
  const url = await emptyDatabase()
  const db = openFor(url)
  await migrateSchema(db, { upTo: BASELINE })
  await prepareQueues(db, queues)
  await db.run`
    insert into accounts (id, name, public_id, created_at, updated_at) values (${newId()}, 'Old', 'old', now(), now())`
  const folder = await aBackupFolder()
  return { db, folder, env: { DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY: key } }
}

test('migrate --backup backs up before the first change, and changes nothing if the backup fails', async () => {
  const { db, folder, env } = await anOlderInstall()
  const file = join(folder, 'before.zip')
  const pending = await pendingMigrations(db)
  assert.ok(pending.length > 0)
  await writeFile(file, 'of somebody else')
  const refused = await run(env, '--backup', file)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^No backup could be made, so the schema was not changed\. .*before\.zip already exists/)
  assert.deepEqual(await pendingMigrations(db), pending)

  const done = await run(env, '--backup', `${file}.zip`, '--json')
  assert.deepEqual([done.code, done.stderr], [0, ''])
  assert.deepEqual(JSON.parse(done.stdout), { dryRun: false, migrations: pending, backup: `${file}.zip` })
  const again = await run(env, '--backup', `${file}.again`)
  assert.equal(again.stdout, 'The schema is up to date.\n')
  assert.ok(!(await readdir(folder)).includes('before.zip.again'))
})

test('migrate without a backup folder says so', async () => {
  const { db, env } = await anOlderInstall()
  const pending = await pendingMigrations(db)
  const { code, stdout } = await run(env)
  assert.equal(code, 0)
  assert.match(stdout, /^No backup was made first: use --backup FILE or set BACKUP_DIR\.\n0201-/)
  const [, ...lines] = stdout.trimEnd().split('\n')
  const last = lines.pop()
  for (const [at, name] of pending.entries())
    assert.match(lines[at] ?? '', new RegExp(`^${name}, ${at + 1} of ${pending.length}: applied in \\d+\\.\\d s$`))
  assert.deepEqual([lines.length, last], [pending.length, `${countInWords(pending.length, 'migration')} applied.`])
})

test('a start backs up into BACKUP_DIR first; it ends if the backup fails, and warns if none is configured', async () => {
  const { db, env } = await anOlderInstall()
  const pending = await pendingMigrations(db)
  const refused = runProduct({ ...env, BACKUP_DIR: join(env.DATA_DIR, 'unmounted') })
  assert.equal((await refused.end()).code, 1)
  assert.match(refused.said.err, /No backup could be made, so the schema was not changed\. There is no file or folder/)
  assert.deepEqual(await pendingMigrations(db), pending)

  const warned = runProduct({ ...env, LOG_LEVEL: 'info' })
  await warned.ready()
  const lines = warned.said.err.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  const of = pending.length
  assert.deepEqual(
    lines
      .filter(({ msg }) => msg === 'a migration was applied')
      .map(({ migration, number, of }) => [migration, number, of]),
    pending.map((migration, at) => [migration, at + 1, of]),
  )
  assert.equal(lines.find(({ msg }) => msg === 'the schema has to be brought up to this release')?.migrations, of)
  assert.ok(lines.find(({ msg }) => msg === 'the schema is that of this release')?.ms > 0)
  assert.match(
    warned.said.err,
    /"migrations":\d+.*the schema is changed without a backup; with BACKUP_DIR a start makes/,
  )
  await warned.end('SIGTERM')
})
