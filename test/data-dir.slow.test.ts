import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, glob, lstat, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { lockData } from '../server/platform/database/data-lock.ts'
import { findEmbedded, startEmbedded } from '../server/platform/database/embedded.ts'
import { migrateSchema } from '../server/platform/database/migrate.ts'
import { openDatabase } from '../server/platform/database/pool.ts'
import { prepareQueues } from '../server/platform/jobs/queue.ts'
import { queues } from '../server/queues.ts'
import { waitUntil } from './support/app.ts'
import { createTestDatabase } from './support/postgres.ts'
import { type ProductProcess, runProduct } from './support/process.ts'

const folder = await mkdtemp(join(tmpdir(), 'tributary-ground-'))
await chmod(folder, 0o755)
const log = pino({ level: 'silent' })
const started: ProductProcess[] = []
after(async () => {
  for (const product of started) await product.end('SIGKILL')
  for (const pid of postgresOver(folder)) process.kill(pid, 'SIGQUIT')
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

function start(variables: Record<string, string>) {
  const product = runProduct(variables)
  started.push(product)
  return product
}

/** Returns the process ids of the PostgreSQL servers with data below `path`. */
function postgresOver(path: string): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  return processes.filter((line) => line.includes(`postgres -D ${path}`)).map((line) => Number.parseInt(line, 10))
}

const statusOf = async (address: string, path: string) => (await fetch(address + path)).status
/** Limit for work that takes less than five seconds on an idle machine. */
const SOON_MS = 20_000
const oneLine = /^[^\n]+\n$/

test('it starts on an empty folder, keeps its secrets private and leaves nothing running', async () => {
  const dataDir = join(folder, 'first')
  const product = start({ DATA_DIR: dataDir })
  const address = await product.ready()
  assert.match(
    product.said.out,
    /^Tributary listens on http:\/\/127\.0\.0\.1:\d+\nThis link .+:\nOpen http:\/\/localhost:\d+\/user-setup#token=\S+\n$/,
  )
  assert.equal(await statusOf(address, '/health/live'), 200)
  assert.equal(await statusOf(address, '/health/ready'), 200)
  assert.equal((await fetch(`${address}/health/live`, { method: 'HEAD' })).status, 200)
  for (const name of ['secret.key', 'postgres.password'])
    assert.equal((await stat(join(dataDir, name))).mode & 0o777, 0o600, name)
  assert.equal(postgresOver(dataDir).length, 1)

  product.child.kill('SIGINT')
  assert.deepEqual(await product.end('SIGINT'), { code: 0, signal: null })
  assert.deepEqual(postgresOver(dataDir), [])
  await assert.rejects(fetch(`${address}/health/live`))
})

/** Returns the roles connected to this database. */
async function rolesIn(client: pg.Client) {
  const { rows } = await client.query<{ usename: string }>(`
    select distinct usename from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
  return rows.map(({ usename }) => usename)
}

test('its PostgreSQL accepts only the generated password, and is safe', async () => {
  const dataDir = join(folder, 'first')
  const product = start({ DATA_DIR: dataDir })
  await product.ready()
  const url = (await findEmbedded(dataDir))!
  const stranger = new pg.Client({ connectionString: Object.assign(new URL(url), { password: 'guess' }).href })
  await assert.rejects(stranger.connect(), { code: '28P01' })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  assert.deepEqual(await rolesIn(client), ['postgres_serving'])
  const note = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const shown = async (name: string) => (await client.query(`show ${name}`)).rows[0][name]
  assert.equal(await shown('data_checksums'), 'on')
  assert.equal(await shown('fsync'), 'on')
  assert.equal(await shown('listen_addresses'), '127.0.0.1')
  assert.equal(note[5], '127.0.0.1')
  await client.end()
  assert.equal((await product.end('SIGTERM')).code, 0)
})

test('a start that takes over a killed one’s data is not mistaken for its PostgreSQL', async (t) => {
  const dataDir = join(folder, 'killed')
  const { stop } = await startEmbedded({ dataDir, log, test: true })
  await stop()
  const dead = spawnSync(process.execPath, ['--version']).pid
  const lock = lockData(dataDir)
  t.after(() => lock?.release())
  for (const [pid, found] of [
    [process.pid, true],
    [dead, false],
  ] as const) {
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), [pid, '', '', 1, '', '', '', 'ready', ''].join('\n'))
    assert.equal((await findEmbedded(dataDir)) !== null, found)
  }
})

test('a former release’s data, served as a superuser, is now served by an ordinary role', async () => {
  const dataDir = join(folder, 'superuser')
  const { url, stop } = await startEmbedded({ dataDir, log, test: true })
  const old = openDatabase({ url, log, max: 2 })
  await migrateSchema(old)
  await prepareQueues(old, queues)
  await old.run`insert into euro_rates (currency, date, rate) values ('usd', '2026-03-02', 1.0837)`
  await old.close()
  await stop()

  const product = start({ DATA_DIR: dataDir })
  const address = await product.ready()
  assert.equal(await statusOf(address, '/health/ready'), 200)
  const client = new pg.Client({ connectionString: (await findEmbedded(dataDir))! })
  await client.connect()
  assert.deepEqual(await rolesIn(client), ['postgres_serving'])
  const { rows } = await client.query('select rate from euro_rates')
  assert.deepEqual(rows, [{ rate: '1.0837' }])
  await client.end()
  assert.equal((await product.end('SIGTERM')).code, 0)
})

test('a superuser in DATABASE_URL gives a warning in one line, and only prepares the database', async () => {
  const { url, drop } = await createTestDatabase()
  const product = start({ DATABASE_URL: url, DATA_DIR: join(folder, 'warned') })
  await product.ready()
  const warnings = product.said.err.split('\n').filter((line) => line.includes('superuser'))
  assert.equal(warnings.length, 1, product.said.err)
  assert.match(warnings[0]!, /"level":"warn".*DATABASE_URL signs in as a superuser, which is used to start only/)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  assert.deepEqual(await rolesIn(client), [`${new URL(url).pathname.slice(1)}_serving`])
  await client.end()
  await product.end('SIGTERM')
  await drop()
})

test('a role that may not change the schema serves a current one, and refuses an outdated one', async () => {
  const { url, drop } = await createTestDatabase()
  const owner = openDatabase({ url, log, max: 1 })
  const dataDir = join(folder, 'by-hand')
  const first = start({ DATABASE_URL: url, DATA_DIR: dataDir })
  await first.ready()
  await first.end('SIGTERM')
  const role = `${new URL(url).pathname.slice(1)}_serving`
  await owner.pool.query(`alter role ${role} password 'by hand'`)
  const serving = Object.assign(new URL(url), { username: role, password: 'by hand' }).href
  const second = start({ DATABASE_URL: serving, DATA_DIR: dataDir })
  assert.equal(await statusOf(await second.ready(), '/health/ready'), 200)
  assert.equal(second.said.err, '')
  await second.end('SIGTERM')

  await owner.run`delete from migrations where name = (select max(name) from migrations)`
  const third = start({ DATABASE_URL: serving, DATA_DIR: dataDir })
  assert.equal((await third.end()).code, 1)
  assert.match(third.said.err, /^DATABASE_URL signs in as a role that may not change the schema/)
  assert.match(third.said.err, oneLine)
  await owner.close()
  await drop()
})

test('after kill -9 it starts again on the same data, without the orphaned PostgreSQL', async () => {
  const dataDir = join(folder, 'first')
  const killed = start({ DATA_DIR: dataDir })
  await killed.ready()
  const [left] = postgresOver(dataDir)
  await killed.end('SIGKILL')
  assert.deepEqual(postgresOver(dataDir), [left])

  const startedAt = Date.now()
  const product = start({ DATA_DIR: dataDir })
  const address = await product.ready()
  assert.ok(Date.now() - startedAt < SOON_MS)
  assert.equal(await statusOf(address, '/health/ready'), 200)
  assert.ok(!postgresOver(dataDir).includes(left!))
  assert.equal((await product.end('SIGTERM')).code, 0)
})

test('root refuses another user’s data in one line, and leaves it unchanged', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root may give files to others')
  const dataDir = join(folder, 'of-another')
  const someone = 12_345
  const before = start({ DATA_DIR: dataDir })
  await before.ready()
  assert.deepEqual(await before.end('SIGTERM'), { code: 0, signal: null })
  execFileSync('chown', ['-R', `${someone}:${someone}`, dataDir])
  const second = start({ DATA_DIR: dataDir })
  assert.deepEqual(await second.end(), { code: 1, signal: null })
  assert.match(second.said.err, oneLine)
  assert.match(second.said.err, /^DATA_DIR holds ".*of-another"; .*user 12345.*start as that user/)
  const others = await Array.fromAsync(
    glob('**', { cwd: dataDir }),
    async (path) => (await lstat(join(dataDir, path))).uid,
  )
  assert.deepEqual([...new Set(others)], [someone])
})

test('files in the data folder that belong to another user are refused in one line', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root may start as somebody else')
  const dataDir = join(folder, 'partly')
  const product = start({ DATA_DIR: dataDir })
  await product.ready()
  assert.deepEqual(await product.end('SIGTERM'), { code: 0, signal: null })
  await chown(dataDir, 65_534, 65_534)
  for (const args of [['server/start.js'], ['server/tributary.js', 'verify-ledger']]) {
    const { status, stderr } = spawnSync(process.execPath, args, {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
      encoding: 'utf8',
      uid: 65_534,
      gid: 65_534,
    })
    assert.equal(status, 1)
    assert.match(stderr, oneLine)
    assert.match(stderr, /^DATA_DIR holds ".*partly"; .*belongs to whoever starts this, and .*EACCES/)
  }
})

test('a waiting service manager is notified when it is ready', async () => {
  const bin = await mkdtemp(join(folder, 'bin-'))
  const marker = join(bin, 'told')
  await writeFile(join(bin, 'systemd-notify'), `#!/bin/sh\necho "$NOTIFY_SOCKET $*" > ${marker}\n`, { mode: 0o755 })
  const database = await createTestDatabase()
  const way = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'told'), PATH: `${bin}:${process.env.PATH}` }
  const product = start({ ...way, LOG_LEVEL: 'error', NOTIFY_SOCKET: '@nobody' })
  const address = await product.ready()
  assert.equal(await waitUntil(() => readFile(marker, 'utf8')), '@nobody --ready\n')
  assert.equal(await statusOf(address, '/health/ready'), 200)
  assert.deepEqual(await product.end('SIGTERM'), { code: 0, signal: null })
  assert.equal(product.said.err, '')
})

test('data that a live process serves is refused in one line, and that process continues', async () => {
  const dataDir = join(folder, 'first')
  const [one, other] = [start({ DATA_DIR: dataDir }), start({ DATA_DIR: dataDir })]
  const outcomes = await Promise.allSettled([one.ready(), other.ready()])
  const [winner, loser] = outcomes[0].status === 'fulfilled' ? [one, other] : [other, one]
  assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await loser.end()).code, 1)
  assert.match(loser.said.err, oneLine)
  assert.match(loser.said.err, /^DATA_DIR holds ".*first", whose database process \d+ is serving/)

  const late = start({ DATA_DIR: dataDir })
  assert.equal((await late.end()).code, 1)
  assert.equal(await statusOf(await winner.ready(), '/health/ready'), 200)
  assert.equal((await winner.end('SIGTERM')).code, 0)
})

test('a start waits for a killed process that is not gone yet', async () => {
  const dataDir = await mkdtemp(join(folder, 'dying-'))
  const lock = lockData(dataDir)!
  const next = start({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  await sleep(3000)
  lock.release()
  assert.equal(await statusOf(await next.ready(), '/health/ready'), 200)
  assert.equal((await next.end('SIGTERM')).code, 0)
})

test('a PostgreSQL that dies is restarted, and calls work again', async () => {
  const dataDir = join(folder, 'first')
  const product = start({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const address = await product.ready()
  const [pid] = postgresOver(dataDir)
  process.kill(pid!, 'SIGKILL')
  const diedAt = Date.now()
  while ((await statusOf(address, '/health/ready')) === 200 && Date.now() - diedAt < 1000) await sleep(5)
  while ((await statusOf(address, '/health/ready')) !== 200) {
    assert.ok(Date.now() - diedAt < SOON_MS, 'still away')
    await sleep(20)
  }
  assert.notDeepEqual(postgresOver(dataDir), [pid])
  assert.equal((await product.end('SIGTERM')).code, 0)
})

test('an address already in use is refused in one line that names it, and no PostgreSQL is left running', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const dataDir = join(folder, 'taken')
  const product = start({ DATA_DIR: dataDir, PORT: String(port) })
  assert.equal((await product.end()).code, 1)
  assert.match(product.said.err, oneLine)
  assert.ok(product.said.err.includes(`127.0.0.1:${port}`), product.said.err)
  assert.deepEqual(postgresOver(dataDir), [])
})

test('an invalid variable is refused in one line that names it', async () => {
  const key = 'not-a-key'
  const product = start({ DATA_DIR: join(folder, 'wrong'), SECRET_KEY: key })
  assert.equal((await product.end()).code, 1)
  assert.equal(
    product.said.err,
    'SECRET_KEY holds 9 characters; it should hold 32 bytes in base64 (openssl rand -base64 32).\n',
  )
  assert.equal(product.said.out, '')
})

test('a broken key file is refused, not replaced', async () => {
  const dataDir = join(folder, 'first')
  const file = join(dataDir, 'secret.key')
  const kept = await readFile(file, 'utf8')
  await writeFile(file, 'broken\n')
  const product = start({ DATA_DIR: dataDir })
  assert.equal((await product.end()).code, 1)
  assert.match(product.said.err, /secret\.key holds 6 characters; it should hold 32 bytes in base64/)
  assert.deepEqual(postgresOver(dataDir), [])
  assert.equal(await readFile(file, 'utf8'), 'broken\n')

  await rm(file)
  const without = start({ DATA_DIR: dataDir })
  assert.equal((await without.end()).code, 1)
  assert.match(
    without.said.err,
    /^There is no SECRET_KEY and no \S+secret\.key, and this database is sealed with a key\. .+\n$/,
  )
  await assert.rejects(readFile(file), { code: 'ENOENT' })
  await writeFile(file, kept)
})

test('with DATABASE_URL web and worker run separately, on one database', async () => {
  const { url, drop } = await createTestDatabase()
  const shared = { DATABASE_URL: url, DATA_DIR: join(folder, 'apart'), SECRET_KEY: randomBytes(32).toString('base64') }
  const [web, worker] = [start({ ...shared, PROCESS_ROLE: 'web' }), start({ ...shared, PROCESS_ROLE: 'worker' })]
  const [webAddress, workerAddress] = [await web.ready(), await worker.ready()]
  assert.equal(await statusOf(webAddress, '/health/ready'), 200)
  assert.equal(await statusOf(workerAddress, '/health/ready'), 200)
  assert.equal(await statusOf(workerAddress, '/api/v1/users/me'), 404)
  assert.notEqual(await statusOf(webAddress, '/api/v1/users/me'), 404)
  assert.deepEqual(postgresOver(join(folder, 'apart')), [])
  assert.deepEqual(
    (await Promise.all([web.end('SIGTERM'), worker.end('SIGTERM')])).map(({ code }) => code),
    [0, 0],
  )
  await drop()
})

test('a database that rejects our credentials is refused in one line', async () => {
  const { url, drop } = await createTestDatabase()
  const wrongUrl = Object.assign(new URL(url), { password: 'canary' }).href
  const product = start({ DATABASE_URL: wrongUrl, DATA_DIR: join(folder, 'refused') })
  assert.equal((await product.end()).code, 1)
  assert.match(product.said.err, oneLine)
  assert.match(product.said.err, new RegExp(`^DATABASE_URL holds ${wrongUrl.length} characters; .*password`))
  assert.ok(!product.said.err.includes('canary'))
  await drop()
})
