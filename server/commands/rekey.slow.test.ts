import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { anAccount, expectOk, startApp } from '../../test/support/app.ts'
import { asDatabaseOwner, freshDatabase } from '../../test/support/postgres.ts'
import { checkKey } from '../platform/database/key-check.ts'
import { openDatabase } from '../platform/database/pool.ts'
import { createSecrets } from '../platform/database/secrets.ts'
import { rawSql } from '../platform/database/sql.ts'
import { silent } from '../platform/http/logger.ts'
import { sealedColumns } from '../reencrypt-secrets.ts'

const script = fileURLToPath(new URL('../tributary.js', import.meta.url))
const first = Buffer.alloc(32, 7)

const db = await freshDatabase()
const { url: ownerUrl } = asDatabaseOwner(db)
const dataDir = await mkdtemp(join(tmpdir(), 'tributary-rekey-'))
after(() => rm(dataDir, { recursive: true, force: true }))
const file = (name: string) => join(dataDir, name)
const readKey = async (name = 'secret.key') => Buffer.from(await readFile(file(name), 'utf8'), 'base64')

const variables = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  DATABASE_URL: db.url,
  DATA_DIR: dataDir,
  ...more,
})
const rekey = (more: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [script, 'rekey'], { env: variables(more) }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

/** Opens every sealed value with this key. */
async function opened(key: Buffer) {
  const at = openDatabase({ url: db.url, log: silent, max: 1 })
  const secrets = createSecrets(key)
  try {
    await checkKey(at, secrets)
    const texts: string[] = []
    for (const { table, column, place } of await sealedColumns(at))
      for (const row of await at.many<{ sealed: Buffer; place: string }>`
        select ${rawSql(column)} as sealed, ${place} as place from ${rawSql(table)} where ${rawSql(column)} is not null`)
        texts.push(`${table}.${column} ${row.place} ${secrets.open(row.sealed, row.place)}`)
    return texts.sort()
  } finally {
    await at.close()
  }
}

test('an interrupted key change loses nothing at any point, and is refused while anyone is connected', async () => {
  await writeFile(file('secret.key'), `${first.toString('base64')}\n`, { mode: 0o600 })
  const app = await startApp({ db, config: { secretKey: first } })
  await checkKey(db, createSecrets(first))
  const account = await anAccount(app)
  expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token }))
  const body = { name: 'Books', url: 'https://books.example/hook', events: ['lead.created'] }
  expectOk(await app.api('POST', `/accounts/${account.id}/outgoing-webhooks`, { token: account.token, body }))
  await app.close()

  const held = await db.pool.connect()
  const concurrent = await rekey()
  held.release()
  assert.deepEqual(
    [concurrent.code, concurrent.stderr.split(':')[0]],
    [1, 'There are other connections to this database'],
  )
  assert.deepEqual(await readdir(dataDir), ['secret.key'])

  await asOwner(`
    create function dawdle() returns trigger language plpgsql as 'begin perform pg_sleep(60); return new; end';
    create trigger dawdle before update on install for each row execute function dawdle()`)
  await db.close()
  const before = await opened(first)
  assert.ok(before.length >= 2)

  await killMidway()
  assert.deepEqual(await opened(first), before)
  const waiting = await readKey('secret.key.next')

  const done = await rekey()
  assert.deepEqual([done.code, done.stderr], [0, ''])
  assert.match(done.stdout, new RegExp(`^${before.length} values re-encrypted\\.\n`))
  assert.deepEqual(await readKey(), waiting)
  assert.equal((await stat(file('secret.key'))).mode & 0o777, 0o600)
  assert.deepEqual(await opened(waiting), before)
  const [former] = (await readdir(dataDir)).filter((name) => name.startsWith('secret.key.before-'))
  assert.deepEqual(await readKey(former), first)

  // the state after a kill between the commit and the change of the files
  await rename(file('secret.key'), file('secret.key.next'))
  await copyFile(file(former!), file('secret.key'))
  const finished = await rekey()
  assert.deepEqual(
    [finished.code, finished.stdout.split('\n')[0]],
    [0, 'Everything is already encrypted with the new key.'],
  )
  assert.deepEqual(await readKey(), waiting)
  const again = await rekey({ NEW_SECRET_KEY: waiting.toString('base64') })
  assert.match(again.stderr, /^NEW_SECRET_KEY holds the present key/)

  const kept = { SECRET_KEY: waiting.toString('base64') }
  const [nothing, same, wrong, other] = [
    await rekey(kept),
    await rekey({ ...kept, NEW_SECRET_KEY: kept.SECRET_KEY }),
    await rekey({ ...kept, NEW_SECRET_KEY: 'short' }),
    await rekey({ SECRET_KEY: first.toString('base64'), NEW_SECRET_KEY: Buffer.alloc(32, 8).toString('base64') }),
  ]
  assert.match(nothing.stderr, /^NEW_SECRET_KEY holds nothing; it should hold 32 bytes/)
  assert.deepEqual([same.code, same.stderr], [1, 'NEW_SECRET_KEY holds the present key; it should hold another one.\n'])
  assert.match(wrong.stderr, /^NEW_SECRET_KEY holds 5 characters/)
  assert.match(other.stderr, /is not the one this database was sealed with/)
  assert.deepEqual(await opened(waiting), before)

  const next = Buffer.alloc(32, 9)
  const given = await rekey({ ...kept, NEW_SECRET_KEY: next.toString('base64') })
  assert.deepEqual([given.code, given.stderr], [0, ''])
  assert.deepEqual(await opened(next), before)
})

/** Kills the command after resealing, before the commit. */
async function killMidway() {
  const child = spawn(process.execPath, [script, 'rekey'], { env: variables(), stdio: 'ignore' })
  const gone = once(child, 'exit')
  // a session connected before this would make the command refuse
  for (const until = Date.now() + 60_000; !existsSync(file('secret.key.next')) && Date.now() < until; ) await sleep(10)
  const at = openDatabase({ url: db.url, log: silent, max: 1 })
  const sleeping = () => at.maybe<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
  for (const until = Date.now() + 60_000; !(await sleeping()) && Date.now() < until; ) await sleep(50)
  child.kill('SIGKILL')
  await gone
  await at.one`select pg_terminate_backend(${(await sleeping())!.pid}, 10000)`
  await at.close()
  await asOwner('drop trigger dawdle on install')
}

async function asOwner(statements: string) {
  const owner = openDatabase({ url: ownerUrl, log: silent, max: 1 })
  await owner.pool.query(statements)
  await owner.close()
}
