import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { marked, type Token, type Tokens } from 'marked'
import packageJson from '../package.json' with { type: 'json' }
import { checkArchive } from '../server/platform/backups/open-archive.ts'
import { NIL, newId } from '../server/platform/database/ids.ts'
import { knownMigrations, migrateSchema, pendingMigrations } from '../server/platform/database/migrate.ts'
import { type Database, transaction } from '../server/platform/database/pool.ts'
import { verifyLedger } from '../server/program/stats/verify.ts'
import { expectOk, type Reply, signIn, type TestApp, waitUntil } from './support/app.ts'
import { openFor } from './support/backups.ts'
import { clickInAddress, visitLink } from './support/links.ts'
import { emptyDatabase } from './support/postgres.ts'
import { runProduct } from './support/process.ts'
import { OWNERS, RELEASE_KEY, releaseArchive, restoreRelease } from './support/releases/releases.ts'
import { type Running, startProduct } from './support/running.ts'

const RELEASES = ['0.1.1', '0.2.0', '1.0.1']
/** Applied migrations after which an upgrade is killed, then after which of the rest, and so on. */
const KILLED_AFTER = [1, 5, 13, 29]
const MANY = 60_000
const ENOUGH = 200

/** Migrations of future releases on tables in use. */
const TO_COME = {
  '9001-rating': "alter table sales add column rating text not null default 'none' check (rating <> '')",
  '9002-visits': `-- outside a transaction
create index concurrently if not exists visits_by_page on visits (page, day);`,
  '9003-shouted': 'alter table visits add column shouted text',
  '9004-shouted': `-- outside a transaction
-- in batches
update visits set shouted = upper(page) where id in (select id from visits where shouted is null limit 5000);`,
}

const folder = await mkdtemp(join(tmpdir(), 'tributary-upgrade-'))
after(() => rm(folder, { recursive: true, force: true }))

/** This release's migrations and the future ones. */
async function migrationsToCome() {
  const path = await mkdtemp(join(folder, 'migrations-'))
  await cp(new URL('../server/platform/database/migrations/', import.meta.url), path, { recursive: true })
  for (const [name, text] of Object.entries(TO_COME)) await writeFile(join(path, `${name}.sql`), `${text}\n`)
  return pathToFileURL(`${path}/`)
}

/** The ids and tokens for calls to an owner's account. */
async function reach(running: Running) {
  const app = running as unknown as TestApp
  const { token } = await signIn(app, OWNERS[0])
  const read = async (path: string) => expectOk(await app.api('GET', path, { token })).body
  const { accountId: id } = (await read('/users/me')).roles[0]
  const [link] = (await read(`/accounts/${id}/link-blueprints`)).items
  const partners = (await read(`/accounts/${id}/partners`)).items
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${id}/api-key`, { token })).body
  return { id, token, apiKey, key: link.key, code: partners[0].referralCode }
}

type Account = Awaited<ReturnType<typeof reach>>
type Heard = { calls: number; later: number; clicks: Set<string>; sales: string[]; slowest: number }

/** Calls once; retries a 503 after the delay it gives. */
async function insist(record: Heard, call: () => Promise<Reply>): Promise<Reply> {
  const startedAt = performance.now()
  record.calls++
  const reply = await call()
  record.slowest = Math.max(record.slowest, performance.now() - startedAt)
  if (reply.status !== 503) return reply
  record.later++
  await sleep(Number(reply.headers.get('retry-after')) * 1000)
  return call()
}

/** Makes visits, sales and lists, one after the other, at each process in turn. */
async function use(processes: Running[], account: Account, record: Heard, caller: number, isOver: () => boolean) {
  for (let turn = 0; !isOver(); turn++) {
    const { api, url } = processes[turn % processes.length]!
    const visited = await visitLink({ url }, account.key, account.code)
    assert.equal(visited.status, 302)
    record.calls++
    record.clicks.add(clickInAddress(visited)!)
    const body = { externalId: `upgrade-${caller}-${turn}`, amount: 12_34, email: `upgrade-${caller}@mail.example` }
    const sale = { ...body, referralCode: account.code }
    const sold = await insist(record, () => api('POST', '/push/sales', { token: account.apiKey, body: sale }))
    assert.ok([200, 201].includes(sold.status), JSON.stringify(sold.body))
    record.sales.push(body.externalId)
    const listed = await insist(record, () => api('GET', `/accounts/${account.id}/sales`, { token: account.token }))
    assert.equal(listed.status, 200, JSON.stringify(listed.body))
  }
}

/** Leaves behind an unsent sale and a signal of the server; returns both, and the changes that people see. */
async function createLeftEvents(db: Database) {
  const [sold, signal] = [newId(), newId()]
  await db.run`
    insert into passing_events (id, account_id, at, type, kind, audited, actor_type, subject_type, subject_id, data)
    select ${sold}, account_id, ${db.now}, type, kind, audited, actor_type, subject_type, subject_id, data
    from passing_events where type = 'sale.created' limit 1`
  await db.run`
    insert into passing_events (id, account_id, at, type, kind, audited, actor_type, data)
    values (${signal}, ${NIL}, ${db.now}, 'test.left', 'internal', false, 'system', '{}')`
  await db.run`insert into event_relays (event_id) values (${sold}), (${signal})`
  const shown = await db.many<{ id: string }>`
    select id from events where audited or kind = 'recorded' or subject_type = 'lead'`
  return { sold, signal, shown: shown.map(({ id }) => id) }
}

/**
 * Counts the left events that are not relayed, those no longer found, and the sale's deliveries to the account's one
 * webhook.
 */
const leftOf = (db: Database, { sold, signal, shown }: Awaited<ReturnType<typeof createLeftEvents>>) => db.one<{
  waiting: number
  lost: number
  deliveries: number
}>`
  select (select count(*) from event_relays where event_id in (${sold}, ${signal})) as waiting,
    (select count(*) from unnest(${shown}::uuid[]) s where not exists (select from events e where e.id = s)) as lost,
    (select count(*) from outgoing_deliveries d join told_events e on e.account_id = d.account_id and e.id = d.event_id
      where d.event_id = ${sold} and e.data ? 'object') as deliveries`

for (const release of RELEASES)
  test(`from ${release} on, processes serve while the schema is upgraded to future releases`, async (t) => {
    const url = await emptyDatabase()
    const db = openFor(url)
    await restoreRelease(url, fileURLToPath(releaseArchive(release)))
    const behind = await pendingMigrations(db)
    const left = await createLeftEvents(db)

    const backups = await mkdtemp(join(folder, 'backups-'))
    const variables = { DATABASE_URL: url, SECRET_KEY: RELEASE_KEY, BACKUP_DIR: backups }
    const processes = [await startProduct(folder, variables), await startProduct(folder, variables)]
    after(() => Promise.all(processes.map(({ product }) => product.end('SIGKILL'))))
    const written = (await readdir(backups)).filter((name) => name.includes('-before-'))
    assert.equal(written.length, behind.length > 0 ? 1 : 0)
    for (const name of written) assert.equal((await checkArchive(join(backups, name))).version, packageJson.version)

    await db.run`create table visits (id int primary key, page text not null, day int not null)`
    await db.run`insert into visits select n, 'page ' || n % 97, n % 365 from generate_series(1, ${MANY}::int) n`
    const account = await reach(processes[0]!)
    const record: Heard = { calls: 0, later: 0, clicks: new Set(), sales: [], slowest: 0 }
    let isOver = false
    const using = Array.from({ length: 4 }, (_, caller) => use(processes, account, record, caller, () => isOver))
    const startedAt = performance.now()
    await migrateSchema(db, { folder: await migrationsToCome() })
    const took = performance.now() - startedAt
    while (record.calls < ENOUGH) await sleep(50)
    isOver = true
    await Promise.all(using)

    t.diagnostic(
      `${Math.round(took)} ms, ${record.calls} calls, ${record.later} later, ${Math.round(record.slowest)} ms at most`,
    )
    assert.ok(record.later <= record.calls / 100, `${record.later} of ${record.calls}`)
    await Promise.all(processes.map(({ product }) => product.end('SIGTERM')))
    assert.deepEqual(await leftOf(db, left), { waiting: 0, lost: 0, deliveries: 1 })
    assert.deepEqual(await missing(db, record), { sales: [], clicks: [], shouted: MANY, valid: true })
    assert.deepEqual(await transaction(db, (tx) => verifyLedger(tx)), [])
  })

/** Returns the figures of an account’s money that each release has. */
const figuresOf = (db: Database) => db.many`
  select 'sales' as of, account_id, status as name, count(*), sum(account_amount) as amount from sales group by 1, 2, 3
  union all
  select 'commissions', account_id, partner_id || ' ' || kind, count(*), sum(amount) from commission_entries group by 1, 2, 3
  union all select 'payouts', account_id, status, count(*), sum(amount) from payouts group by 1, 2, 3
  union all select 'refunds', account_id, '', count(*), sum(amount) from refunds group by 1, 2, 3
  order by 1, 2, 3`

for (const release of RELEASES)
  test(`an upgrade from ${release} that is killed several times ends with the same figures`, async (t) => {
    const url = await emptyDatabase()
    const db = openFor(url)
    await restoreRelease(url, fileURLToPath(releaseArchive(release)))
    const figures = await figuresOf(db)
    assert.ok(figures.length > 8)
    const variables = {
      DATABASE_URL: url,
      SECRET_KEY: RELEASE_KEY,
      BACKUP_DIR: await mkdtemp(join(folder, 'backups-')),
    }
    const pending = async () => (await pendingMigrations(db)).length
    let kills = 0
    for (const applied of KILLED_AFTER) {
      const left = (await pending()) - applied
      if (left <= 0) break
      const product = runProduct({ ...variables, DATA_DIR: await mkdtemp(join(folder, 'data-')) })
      await waitUntil(async () => (await pending()) <= left, 60_000)
      assert.equal((await product.end('SIGKILL')).signal, 'SIGKILL')
      kills++
    }
    const running = await startProduct(folder, variables)
    after(() => running.product.end('SIGKILL'))
    t.diagnostic(`killed ${kills} times`)
    assert.equal(await pending(), 0)
    assert.deepEqual(await figuresOf(db), figures)
    assert.deepEqual(await transaction(db, (tx) => verifyLedger(tx)), [])
    await reach(running)
    await running.product.end('SIGTERM')
  })

/** Returns acknowledged rows that are missing, and the effects of the future migrations. */
async function missing(db: ReturnType<typeof openFor>, { sales, clicks }: Heard) {
  const rows = await db.many<{ externalId: string }>`
    select e as external_id from unnest(${sales}::text[]) e where not exists (select from sales s where s.external_id = e)`
  const gone = await db.many<{ id: string }>`
    select c as id from unnest(${[...clicks]}::text[]) c where not exists (select from clicks k where k.id::text = c)`
  const done = await db.one<{ shouted: number; valid: boolean }>`
    select (select count(shouted) from visits) as shouted,
      (select indisvalid from pg_index where indexrelid = 'visits_by_page'::regclass) as valid`
  return { sales: rows, clicks: gone, ...done }
}

type Release = { name: string; tokens: Token[] }

/** The sections of the changelog, newest first. */
function releasesOf(markdown: string): Release[] {
  const found: Release[] = []
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading' && token.depth === 2) found.push({ name: token.text, tokens: [] })
    else found.at(-1)?.tokens.push(token)
  }
  return found
}

test('the changelog has a dated section for each release, and the newest lists operators’ tasks', async () => {
  const releases = releasesOf(await readFile(new URL('../CHANGELOG.md', import.meta.url), 'utf8'))
  const dated = releases.filter(({ name }) => name !== 'Unreleased').map(({ name }) => name.split(' – '))
  if (releases[0]?.name === 'Unreleased') assert.match(packageJson.version, /-dev$/)
  else assert.equal(dated[0]?.[0], packageJson.version)
  for (const [, day = ''] of dated) assert.equal(new Date(day).toISOString().slice(0, 10), day)
  assert.deepEqual(
    dated.map(([version]) => version),
    dated.map(([version]) => version).toSorted((a, b) => b!.localeCompare(a!, 'en', { numeric: true })),
  )
  const { tokens } = releases[0]!
  const at = tokens.findIndex((token) => token.type === 'heading' && (token as Tokens.Heading).text === 'Action needed')
  assert.ok(at >= 0, "a heading 'Action needed'")
  const word = tokens.slice(at + 1).find((token) => token.type !== 'space')
  assert.ok(word && (word.type === 'list' || word.raw.trim() === 'None.'), "a list, or 'None.'")
})

test('each release has its own number', async () => {
  const archives = await readdir(new URL('./support/releases/', import.meta.url))
  const known = await knownMigrations()
  for (const version of archives.flatMap((name) => /^(.+)\.zip$/.exec(name)?.[1] ?? [])) {
    const { migrations } = await checkArchive(fileURLToPath(releaseArchive(version)))
    if (!migrations.some(({ name }) => name === [...known.keys()].at(-1))) assert.notEqual(packageJson.version, version)
  }
})
