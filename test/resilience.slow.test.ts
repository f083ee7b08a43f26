import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { findEmbedded } from '../server/platform/database/embedded.ts'
import { type Database, openDatabase } from '../server/platform/database/pool.ts'
import { verifyLedger } from '../server/program/stats/verify.ts'
import { fakeReceiver } from './fakes/receiver.ts'
import {
  ADMINISTRATOR,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  startApp,
  type TestApp,
  waitUntil,
} from './support/app.ts'
import { databaseAt } from './support/backups.ts'
import { clickInAddress, visitLink } from './support/links.ts'
import { asDatabaseOwner, createTestDatabase } from './support/postgres.ts'
import { aSellingAccount, type Running, type SellingAccount, startProduct as startIn } from './support/running.ts'
import { listSavedMails } from './support/saved-mails.ts'

// Guarantees when processes die, the database is lost and calls are repeated (security.md, sections 2 and 12).

const folder = await mkdtemp(join(tmpdir(), 'tributary-resilience-'))
await chmod(folder, 0o755)
const log = pino({ level: 'silent' })
const started: Running[] = []
after(async () => {
  for (const { product } of started) await product.end('SIGKILL')
  for (const { dataDir } of started) await postmasterOf(dataDir).then((pid) => process.kill(pid, 'SIGQUIT'), nothing)
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})
/** Limit for work that takes less than five seconds on an idle machine. */
const SOON_MS = 20_000
const nothing = () => {}

async function start(variables: Record<string, string> = {}) {
  const running = await startIn(folder, variables)
  started.push(running)
  return running
}

const postmasterOf = async (dataDir: string) =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

const mailsOf = ({ dataDir }: Running) => listSavedMails({ services: { config: { dataDir } } } as TestApp)
const isLive = ({ product }: Running) => product.child.exitCode === null && product.child.signalCode === null

test('while the database is down calls are refused and nothing crashes; jobs continue when it returns', async () => {
  const { url, drop } = await createTestDatabase()
  const proxy = await openProxy(url)
  const app = await start({ DATABASE_URL: proxy.url, LOG_LEVEL: 'warn' })
  const account = await aSellingAccount(app)
  const call = () => app.api('GET', '/users/me', { token: account.token })
  const invite = async () => {
    const partner = await aPartner(app as unknown as TestApp, account)
    return partner.email as string
  }
  const counted = await visitLink(app, account.blueprint.key, account.code)
  assert.ok(clickInAddress(counted))
  const before = await invite()

  const { said } = app.product
  const saidBefore = said.err.length
  proxy.cut()
  const away = await call()
  assert.equal(away.status, 503)
  assert.equal(away.body.error.code, 'unavailable')
  assert.match(away.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal((await app.api('GET', '/health/ready')).status, 503)
  assert.equal((await app.api('GET', '/health/live')).status, 200)
  const pushed = { externalId: 'while away', referralCode: account.code, email: 'a@b.example', amount: 10_00 }
  assert.equal((await app.api('POST', '/push/sales', { token: account.apiKey, body: pushed })).status, 503)
  const led = await visitLink(app, account.blueprint.key, account.code)
  assert.deepEqual([led.status, clickInAddress(led)], [302, null])
  assert.ok(led.location?.includes(`ref=${account.code}`), led.location ?? '')
  await sleep(2000)
  assert.equal((await call()).status, 503)
  const lines = said.err.slice(saidBefore).trim().split('\n')
  assert.equal(lines.length, 1, said.err.slice(saidBefore, saidBefore + 2000))
  assert.equal(JSON.parse(lines[0]!).trouble, 'away')

  await proxy.mend()
  await waitUntil(async () => (await app.api('GET', '/health/ready')).status === 200, SOON_MS)
  await waitUntil(async () => (await call()).status === 200, SOON_MS)
  assert.equal((await app.api('POST', '/push/sales', { token: account.apiKey, body: pushed })).status, 201)
  const later = await invite()
  await waitUntil(async () => {
    const receivers = (await mailsOf(app)).flatMap((mail) => mail.to)
    return receivers.includes(before) && receivers.includes(later)
  }, 60_000)
  assert.ok(isLive(app))
  assert.equal((await app.product.end('SIGTERM')).code, 0)
  proxy.cut()
  await drop()
})

test('with the database’s disk full, writers are told to retry, and one line says why', async () => {
  const { url, drop } = await createTestDatabase()
  const app = await start({ DATABASE_URL: url, LOG_LEVEL: 'warn' })
  const account = await aSellingAccount(app)
  const db = openDatabase({ ...databaseAt(url), max: 1 })
  const push = (externalId: string) =>
    app.api('POST', '/push/sales', {
      token: account.apiKey,
      body: { externalId, referralCode: account.code, email: 'a@b.example', amount: 10_00 },
    })
  const ready = async () => (await app.api('GET', '/health/ready')).status
  assert.equal((await push('with room')).status, 201)
  const saidBefore = app.product.said.err.length
  for (const table of ['sales', 'clicks']) await failOn(db, table, 'disk_full')
  for (let n = 0; n < 20; n++) {
    const refused = await push(`without room ${n}`)
    assert.equal(refused.status, 503)
    assert.equal(refused.body.error.code, 'unavailable')
    assert.equal(refused.headers.get('retry-after'), '30')
    assert.equal((await visitLink(app, account.blueprint.key, account.code)).status, 302)
  }
  assert.equal(await ready(), 503)
  assert.equal((await app.api('GET', '/health/live')).status, 200)
  const lines = app.product.said.err.slice(saidBefore).trim().split('\n')
  assert.equal(lines.length, 1, lines.join('\n'))
  assert.equal(JSON.parse(lines[0]!).trouble, 'full')

  for (const table of ['sales', 'clicks']) await db.pool.query(`drop trigger fail on ${table}`)
  assert.equal((await push('with room again')).status, 201)
  await waitUntil(async () => (await ready()) === 200, SOON_MS)
  assert.deepEqual(await app.product.end('SIGTERM'), { code: 0, signal: null })
  await db.close()
  await drop()
})

test('after kill -9 between commit, relay, delivery and response, every acknowledged lead reaches the webhook', async () => {
  const receiver = await fakeReceiver()
  after(() => receiver.close())
  const { url, drop } = await createTestDatabase()
  const variables = {
    DATABASE_URL: url,
    ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true',
    SECRET_KEY: randomBytes(32).toString('base64'),
  }
  let app = await start(variables)
  const second = await start({ ...variables, PROCESS_ROLE: 'worker' })
  const account = await aSellingAccount(app)
  const webhook = { name: 'CRM', url: receiver.url, events: ['lead.created'] }
  expectOk(await app.api('POST', `/accounts/${account.id}/outgoing-webhooks`, { token: account.token, body: webhook }))
  const answered = new Set<string>()
  const pushing = (async () => {
    // on a busy machine most of them meet a process that has just been killed
    for (let n = 0; n < 300 || answered.size <= 50; n++) {
      const body = { externalId: `lead ${n}`, email: anEmail() }
      const reply = await app.api('POST', '/push/leads', { token: account.apiKey, body }).catch(nothing)
      if (reply?.status === 201) answered.add(reply.body.id)
      else await sleep(50)
    }
  })()
  for (let kill = 0; kill < 2; kill++) {
    const soFar = receiver.deliveries.length
    await waitUntil(() => receiver.deliveries.length > soFar + 5, SOON_MS)
    await app.product.end('SIGKILL')
    app = await start(variables)
  }
  await second.product.end('SIGKILL')
  await pushing
  const delivered = () =>
    new Set(receiver.deliveries.map(({ body }) => (body.data as { object: { id: string } }).object.id))
  await waitUntil(() => [...answered].every((id) => delivered().has(id)), 60_000)
  assert.ok(answered.size > 50, `${answered.size} answered`)
  await app.product.end('SIGTERM')
  await drop()
})

test('after kill -9 of the product, then of its PostgreSQL, under load, acknowledged writes exist once', async () => {
  const first = await start()
  const account = await aSellingAccount(first)
  const dataDir = first.dataDir

  const load = startLoad(first, account, 'first')
  await load.isUnderWay()
  await first.product.end('SIGKILL')
  const answeredFirst = await load.stop()

  const second = await start({ DATA_DIR: dataDir })
  await isAllThere(second, account, answeredFirst)

  const more = startLoad(second, account, 'second')
  await more.isUnderWay()
  process.kill(await postmasterOf(dataDir), 'SIGKILL')
  await sleep(50)
  await waitUntil(async () => (await second.api('GET', '/health/ready')).status === 200, SOON_MS)
  await sleep(500)
  await isAllThere(second, account, await more.stop())
  assert.ok(isLive(second))
  assert.equal((await second.product.end('SIGTERM')).code, 0)
})

test('fifty parallel calls under one key have one effect', async () => {
  const app = await startApp()
  const account = await anAccount(app)
  const key = { 'idempotency-key': randomUUID() }
  const body = { email: anEmail('partner'), firstName: 'Pia' }
  const create = (given = body) =>
    app.api('POST', `/accounts/${account.id}/partners`, { token: account.token, headers: key, body: given })
  const replies = await Promise.all(Array.from({ length: 50 }, () => create()))
  const done = replies.filter((reply) => reply.status === 201)
  const first = done.filter((reply) => !reply.headers.has('idempotency-replayed'))
  assert.equal(first.length, 1)
  for (const reply of done) assert.deepEqual(reply.body, first[0]!.body)
  for (const reply of replies)
    if (reply.status !== 201) assert.deepEqual([reply.status, reply.body.error.code], [409, 'conflict'])
  assert.equal(await rowsOf(app.services.db, 'partners'), 1)
  assert.equal(await rowsOf(app.services.db, 'passing_events where type = $$invitation.requested$$'), 2)

  const other = await create({ ...body, firstName: 'Paul' })
  assert.deepEqual([other.status, other.body.error.code], [409, 'idempotency_mismatch'])
  const again = await create()
  assert.deepEqual([again.status, again.body], [201, first[0]!.body])
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
})

test('fifty parallel pushes under one key record one sale', async () => {
  const app = await startApp()
  const account = await aSellingAccountIn(app)
  const body = { externalId: 'once', referralCode: account.code, email: 'buyer@mail.example', amount: 49_00 }
  const push = () =>
    app.api('POST', '/push/sales', { token: account.apiKey, body, headers: { 'idempotency-key': 'same' } })
  const replies = await Promise.all(Array.from({ length: 50 }, push))
  const ids = new Set(replies.filter((reply) => reply.status === 201).map((reply) => reply.body.id))
  assert.equal(ids.size, 1)
  for (const reply of replies) assert.ok([201, 409].includes(reply.status), JSON.stringify(reply.body))
  assert.equal(await rowsOf(app.services.db, 'sales'), 1)
  assert.equal(await rowsOf(app.services.db, 'commission_entries'), 3)
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('a stored response is encrypted: no table contains the key it returned', async () => {
  const app = await startApp()
  const account = await anAccount(app)
  const renew = () =>
    app.api('PUT', `/accounts/${account.id}/api-key`, {
      token: account.token,
      headers: { 'idempotency-key': 'renew once' },
    })
  const { body } = await renew()
  assert.ok(body.apiKey)
  assert.equal((await renew()).body.apiKey, body.apiKey)
  assert.equal(await rowsOf(app.services.db, 'idempotency_keys'), 1)
  for (const canary of [body.apiKey, Buffer.from(body.apiKey).toString('hex')])
    assert.deepEqual(await tablesHolding(app.services.db, canary), [])
  // the search works: it finds the account's name, which is no secret
  assert.ok((await tablesHolding(app.services.db, 'Northwind')).includes('accounts'))
})

test('a response to an internal error is not stored', async () => {
  const app = await startApp({ config: { logLevel: 'silent' } })
  const account = await anAccount(app)
  const body = { email: anEmail('partner') }
  const create = () =>
    app.api('POST', `/accounts/${account.id}/partners`, {
      token: account.token,
      headers: { 'idempotency-key': 'tried again' },
      body,
    })
  await failOn(asDatabaseOwner(app.services.db), 'partners')
  const failed = await create()
  assert.deepEqual([failed.status, failed.body.error.code], [500, 'internal_error'])
  await failNoMore(asDatabaseOwner(app.services.db), 'partners')
  const done = await create()
  assert.equal(done.status, 201)
  assert.equal(done.headers.get('idempotency-replayed'), null)
})

test('a call rolled back at its last step leaves no row, no event and no job', async () => {
  const app = await startApp({ config: { logLevel: 'silent' } })
  const account = await anAccount(app)
  const { db } = app.services
  const seen = async () =>
    Promise.all(
      ['partners', 'invitations', 'events', 'passing_events', 'event_relays', 'pgboss.job', 'day_stats'].map((t) =>
        rowsOf(db, t),
      ),
    )
  const before = await seen()
  const create = (email: string) =>
    app.api('POST', `/accounts/${account.id}/partners`, {
      token: account.token,
      headers: { 'idempotency-key': email },
      body: { email },
    })
  await failOn(asDatabaseOwner(db), 'idempotency_keys')
  assert.equal((await create(anEmail('lost'))).status, 500)
  assert.deepEqual(await seen(), before)
  await failNoMore(asDatabaseOwner(db), 'idempotency_keys')
  assert.equal((await create(anEmail('kept'))).status, 201)
  assert.notDeepEqual(await seen(), before)
})

test('with two processes on one database each job is done once, and each learns of links the other changes', async () => {
  const { url, drop } = await createTestDatabase()
  const shared = { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('base64') }
  const one = await start(shared)
  const other = await start(shared)
  const account = await aSellingAccount(one)
  const emails: string[] = []
  for (let turn = 0; turn < 12; turn++) {
    const app = turn % 2 === 0 ? one : other
    emails.push((await aPartner(app as unknown as TestApp, account)).email)
  }
  const receivers = async () => [...(await mailsOf(one)), ...(await mailsOf(other))].flatMap((mail) => mail.to)
  await waitUntil(async () => {
    const there = await receivers()
    return emails.every((email) => there.includes(email))
  }, 60_000)
  await sleep(1000)
  const counts = Map.groupBy(await receivers(), (email) => email)
  assert.deepEqual(
    emails.map((email) => counts.get(email)?.length),
    emails.map(() => 1),
  )

  const lead = () => visitLink(other, account.blueprint.key, account.code)
  assert.match((await lead()).location ?? '', /^https:\/\/shop\.example\.com\/landing\?/)
  const path = `/link-blueprints/${account.blueprint.id}`
  const changed = await one.api('PUT', path, {
    token: account.token,
    body: { destinationUrl: 'https://shop.example.com/elsewhere' },
  })
  assert.equal(changed.status, 200)
  await waitUntil(async () => (await lead()).location?.startsWith('https://shop.example.com/elsewhere?'), SOON_MS)

  assert.deepEqual(
    (await Promise.all([one.product.end('SIGTERM'), other.product.end('SIGTERM')])).map(({ code }) => code),
    [0, 0],
  )
  await drop()
})

test('an error that nothing awaits fails its request alone, and ends the process only outside requests', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const stray = `
    const lose = () => void Promise.reject(new Error('nothing awaits this'))
    const { normalize } = String.prototype
    String.prototype.normalize = function (...given) {
      if (this.includes('lose-now')) lose()
      if (this.includes('lose-later')) setTimeout(lose, 3000)
      return normalize.call(this, ...given)
    }
    process.on('SIGUSR2', lose)`
  const running = await start({
    DATABASE_URL: database.url,
    LOG_LEVEL: 'error',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(stray)}`,
  })
  const signIn = (email: string) =>
    running.api('POST', '/auth/sign-in', { body: { ...ADMINISTRATOR, email: email || ADMINISTRATOR.email } })
  const [lost, ...others] = await Promise.all([
    signIn('lose-now@install.example'),
    ...Array.from({ length: 5 }, () => signIn('')),
  ])
  assert.deepEqual([lost.status, lost.body.error.code], [500, 'internal_error'])
  assert.equal(lost.headers.get('x-content-type-options'), 'nosniff')
  for (const { status } of others) assert.equal(status, 200)

  assert.equal((await signIn('lose-later@install.example')).status, 401)
  await waitUntil(
    () =>
      Object.values(running.product.said)
        .join('')
        .match(/nothing awaits this/g)?.length === 4 || undefined,
  )
  assert.equal((await signIn('')).status, 200)
  assert.ok(isLive(running), running.product.said.err)

  const { code } = await running.product.end('SIGUSR2')
  assert.equal(code, 1)
})

test('SIGTERM lets running requests finish, then exits with 0', async () => {
  const app = await start()
  const account = await aSellingAccount(app)
  const body = { email: ADMINISTRATOR.email, password: ADMINISTRATOR.password }
  const rows = Array.from({ length: 100 }, (_, index) => ({
    ...{ externalId: `bulk ${index}`, amount: 10_00 },
    ...{ email: `bulk-${index}@mail.example`, referralCode: account.code },
  }))
  const running = [
    ...Array.from({ length: 12 }, () => app.api('POST', '/auth/sign-in', { body })),
    ...Array.from({ length: 3 }, () => app.api('POST', '/push/sales', { token: account.apiKey, body: rows })),
  ]
  // the first is answered while the others still wait for the password hash
  await Promise.race(running)
  const stoppedAt = Date.now()
  const ended = app.product.end('SIGTERM')
  const replies = await Promise.all(running)
  assert.deepEqual(
    replies.map((reply) => reply.status),
    running.map(() => 200),
  )
  assert.deepEqual(await ended, { code: 0, signal: null })
  assert.ok(Date.now() - stoppedAt < 30_000)
  await assert.rejects(app.api('GET', '/health/live'))
})

const rowsOf = async (db: Database, table: string) =>
  Number((await db.pool.query(`select count(*) as count from ${table}`)).rows[0].count)

/** Returns the tables with a row that contains this text. */
async function tablesHolding(db: Database, text: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
  )
  const holding: string[] = []
  for (const { name } of rows) {
    const found = await db.pool.query(`select from ${name} t where position($1 in t::text) > 0 limit 1`, [text])
    if (found.rowCount) holding.push(name.replace('public.', ''))
  }
  return holding
}

async function failOn(db: Database, table: string, errcode = 'raise_exception') {
  await db.pool.query(`
    create or replace function fail() returns trigger language plpgsql as $$
      begin raise exception 'broken for the test' using errcode = '${errcode}'; end $$;
    create trigger fail before insert on ${table} for each row execute function fail()`)
}

const failNoMore = (db: Database, table: string) => db.pool.query(`drop trigger fail on ${table}; drop function fail()`)

/** An account ready to sell, in the test's own process, after the first account with its administrator. */
async function aSellingAccountIn(app: TestApp) {
  await anAccount(app)
  return aSellingAccount(app)
}

/** A proxy before a PostgreSQL: `cut` ends all connections and refuses new ones, `mend` accepts them again. */
async function openProxy(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const hold = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', nothing).on('close', () => sockets.delete(socket))
  }
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname)
    hold(socket)
    hold(upstream)
    socket.pipe(upstream).pipe(socket)
    socket.on('close', () => upstream.destroy())
    upstream.on('close', () => socket.destroy())
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as { port: number }
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    cut() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
    mend: () => listen(port),
  }
}

type Pushed = { body: { externalId: string }; headers: Record<string, string> }
type Answered = {
  /** Sales answered 201, each with the body of its answer. */
  sales: { call: Pushed; body: { id: string } }[]
  /** Calls that ended without an answer, or with 503: they may have been executed. */
  unknown: Pushed[]
  clicks: string[]
}

/** Pushes sales, every other one with an idempotency key, and follows the link, all in parallel, until stopped. */
function startLoad(app: Running, account: SellingAccount, name: string) {
  const answered: Answered = { sales: [], unknown: [], clicks: [] }
  let stopped = false
  let number = 0

  const push = async () => {
    number++
    const call: Pushed = {
      body: { ...aSale(account, number), externalId: `${name} ${number}` },
      headers: number % 2 === 0 ? { 'idempotency-key': `${name} ${number}` } : {},
    }
    const reply = await app.api('POST', '/push/sales', { token: account.apiKey, ...call }).catch(nothing)
    if (reply?.status === 201) answered.sales.push({ call, body: reply.body })
    else {
      if (reply) assert.ok([503].includes(reply.status), JSON.stringify(reply.body))
      answered.unknown.push(call)
      await sleep(50)
    }
  }
  const follow = async () => {
    const led = await visitLink(app, account.blueprint.key, account.code).catch(() => null)
    const click = led && clickInAddress(led)
    if (click) answered.clicks.push(click)
    else await sleep(50)
  }
  const repeat = async (work: () => Promise<void>) => {
    while (!stopped && isLive(app)) await work()
  }
  const lanes = [...Array.from({ length: 12 }, () => repeat(push)), ...Array.from({ length: 12 }, () => repeat(follow))]
  return {
    isUnderWay: () => waitUntil(() => answered.sales.length > 60 && answered.clicks.length > 60, 60_000),
    async stop() {
      stopped = true
      await Promise.all(lanes)
      return answered
    },
  }
}

const aSale = (account: SellingAccount, number: number) => ({
  email: `buyer-${number % 40}@mail.example`,
  referralCode: account.code,
  amount: 1_00 + number,
})

/** Every answered sale and click is in the database once, the ledger agrees, and repeats get the first answer. */
async function isAllThere({ api, dataDir }: Running, account: SellingAccount, { sales, unknown, clicks }: Answered) {
  const db = openDatabase({ url: (await findEmbedded(dataDir))!, log, max: 1 })
  try {
    const kept = await db.many<{ id: string; externalId: string }>`select id, external_id from sales`
    const idOf = new Map(kept.map((row) => [row.externalId, row.id]))
    assert.equal(idOf.size, kept.length)
    for (const { call, body } of sales) assert.equal(idOf.get(call.body.externalId), body.id)
    const { found } = await db.one<{ found: number }>`
      select count(*) as found from clicks where id = any(${clicks}::uuid[])`
    assert.equal(found, new Set(clicks).size)
    assert.deepEqual(await verifyLedger(db), [])

    const repeat = (call: Pushed) => api('POST', '/push/sales', { token: account.apiKey, ...call })
    for (const { call, body } of sales.slice(-30)) {
      const reply = await repeat(call)
      const keyed = 'idempotency-key' in call.headers
      assert.deepEqual([reply.status, reply.body.id], [keyed ? 201 : 200, body.id])
      if (keyed) assert.deepEqual(reply.body, body)
    }
    const before = await rowsOf(db, 'sales')
    const absent = unknown.filter((call) => !idOf.has(call.body.externalId)).length
    for (const call of unknown) assert.ok([200, 201].includes((await repeat(call)).status))
    assert.equal(await rowsOf(db, 'sales'), before + absent)
    assert.deepEqual(await verifyLedger(db), [])
  } finally {
    await db.close()
  }
}
