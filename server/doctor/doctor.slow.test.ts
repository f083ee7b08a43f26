import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fakeSmtp } from '../../test/fakes/smtp.ts'
import { ADMINISTRATOR, anEmail, expectOk, signIn, type TestApp } from '../../test/support/app.ts'
import { asDatabaseOwner, freshDatabase } from '../../test/support/postgres.ts'
import { startProduct } from '../../test/support/running.ts'
import { scratchFolder } from '../../test/support/scratch.ts'
import { backUp } from '../platform/backups/back-up.ts'
import { nameAt } from '../platform/backups/own-backups.ts'
import { findEmbedded } from '../platform/database/embedded.ts'
import { openDatabase, systemClock } from '../platform/database/pool.ts'
import { silent } from '../platform/http/logger.ts'
import { runChecks } from './check.ts'
import { checks } from './checks.ts'
import { database } from './database.ts'
import { passkeys } from './passkeys.ts'
import { meetPatient } from './patient.ts'
import { variables } from './variables.ts'

const mailServer = await fakeSmtp()
const folder = await scratchFolder()
const running = await startProduct(folder, { RATE_LIMIT_FACTOR: '1', SMTP_URL: mailServer.url })
const db = openDatabase({ url: (await findEmbedded(running.dataDir))!, log: silent, max: 2 })
const stranger = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
await once(stranger, 'listening')
const strangePort = `${(stranger.address() as AddressInfo).port}`
after(async () => {
  stranger.close()
  await db.close()
  await running.product.end('SIGTERM')
  await mailServer.close()
})

const well = {
  DATA_DIR: running.dataDir,
  PORT: new URL(running.url).port,
  APP_URL: running.url,
  SMTP_URL: mailServer.url,
  BACKUP_DIR: await mkdtemp(join(folder, 'backups-')),
}

await backUp(db, join(well.BACKUP_DIR, nameAt(new Date())), [])

type Given = Omit<Parameters<typeof meetPatient>[1], 'clock'> & { now?: string }

/** Returns the findings that are neither ok nor skipped. */
async function complaints(variables: Record<string, string> = {}, { now, ...given }: Given = {}) {
  const clock = now ? { now: () => new Date(now) } : systemClock
  const patient = meetPatient({ ...well, ...variables }, { clock, ...given })
  try {
    return (await runChecks(checks, patient)).filter(({ state }) => state === 'warning' || state === 'fault')
  } finally {
    await patient.leave()
  }
}

test('a healthy install has no complaints, and its checks examine something', async () => {
  assert.deepEqual(await complaints(), [])
  const patient = meetPatient(well, { clock: systemClock })
  const findings = await runChecks(checks, patient)
  await patient.leave()
  const skipped = findings.filter(({ state }) => state === 'skipped').map(({ name }) => name)
  assert.deepEqual(skipped, [
    'cluster',
    'replica',
    'passkeys',
    'tracing',
    'languages',
    'payment providers',
    'wise',
    'paypal',
    'webhooks',
  ])
})

const planted: [what: string, check: string, words: RegExp, variables: Record<string, string>, given?: Given][] = [
  ['an invalid variable', 'variables', /^LOG_LEVEL holds "loud"/, { LOG_LEVEL: 'loud' }],
  ['a database that is down', 'database', /doesn’t respond/, { DATABASE_URL: 'postgres://x:y@127.0.0.1:9/z' }],
  ['a full disk', 'disk', /has 12 MB left of 80 GB/, {}, { spaceOf: async () => ({ free: 12e6, total: 80e9 }) }],
  [
    'a disk out of inodes',
    'disk',
    /has room for 3 more files/,
    {},
    { spaceOf: async () => ({ free: 60e9, total: 80e9, filesLeft: 3 }) },
  ],
  [
    'a data folder that is a file',
    'disk',
    /isn’t a folder/,
    { DATA_DIR: new URL(import.meta.url).pathname, PORT: '0' },
  ],
  ['a clock years behind', 'clock', /before this product was installed/, {}, { now: '2019-01-01T00:00:00Z' }],
  [
    'a clock a day ahead',
    'clock',
    /that of the database/,
    {},
    { now: new Date(Date.now() + 86_400_000).toISOString() },
  ],
  ['another key', 'key', /isn’t the key/, { SECRET_KEY: randomBytes(32).toString('base64') }],
  ['a mail server that is down', 'mail', /ECONNREFUSED/, { SMTP_URL: 'smtp://127.0.0.1:9' }],
  ['an address of another server', 'address', /not to this one/, { APP_URL: `http://localhost:${strangePort}` }],
  ['an address without a server', 'address', /doesn’t reach this server/, { APP_URL: 'http://localhost:9' }],
  ['a port in use', 'address', /is used by another program/, { PORT: strangePort }],
  [
    'all addresses trusted as proxies',
    'proxy headers',
    /can pose as another/,
    { TRUST_PROXY: '10.0.0.1,0.0.0.0/1,128.0.0.0/1' },
  ],
  ['a product started with other variables', 'proxy headers', /another TRUST_PROXY/, { TRUST_PROXY: '127.0.0.1' }],
  ['disabled limits', 'limits', /nothing is rate limited/, { RATE_LIMIT_FACTOR: '0' }],
  [
    'a trace collector that is down',
    'tracing',
    /doesn’t respond/,
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
  ],
  [
    'a collector that accepts no traces',
    'tracing',
    /accepts no traces/,
    { OTEL_EXPORTER_OTLP_ENDPOINT: `${running.url}/api/v1` },
  ],
  ['backups that are not configured', 'backups', /^BACKUP_DIR isn’t set/, { BACKUP_DIR: '' }],
  ['backups that are not written', 'backups', /has no backup/, { BACKUP_DIR: folder }],
  ['webhooks into the private network', 'webhooks', /in your private network/, { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'on' }],
]

for (const [what, check, words, variables, given] of planted)
  test(`the check '${check}' alone reports ${what}, with its remedy`, async () => {
    const found = await complaints(variables, given)
    assert.deepEqual([...new Set(found.map(({ name }) => name))], [check], JSON.stringify(found))
    assert.match(found[0]!.finding, words)
    assert.ok(found.every(({ advice }) => advice))
  })

test('a mail server that refuses the connection is not reported as a TLS problem', async () => {
  const [found] = await complaints({ SMTP_URL: 'smtp://u:p@127.0.0.1:9' })
  assert.match(found!.advice!, /^Correct host and port in SMTP_URL/)
})

test('every invalid variable is named, not only the first, and no secret is shown', async () => {
  const found = await complaints({ LOG_LEVEL: 'loud', SECRET_KEY: 'hunter2hunter2', COUNTRY_HEADER: 'cf-ipcountry' })
  const words = found.map(({ finding }) => finding)
  assert.deepEqual(
    words.map((one) => one.split(' ')[0]),
    ['TRUST_PROXY', 'SECRET_KEY', 'LOG_LEVEL'],
  )
  assert.ok(!words.join().includes('hunter2'))
})

test('an unknown variable with a name close to an unset one of ours is reported', async () => {
  const patient = meetPatient({ ...well, SMTP_URL: '', STMP_URL: mailServer.url }, { clock: systemClock })
  const [found] = await runChecks([variables], patient)
  await patient.leave()
  assert.deepEqual(
    [found!.state, found!.finding],
    ['warning', 'STMP_URL isn’t a variable of the product, and SMTP_URL isn’t set.'],
  )
})

test('the check of the role reports a superuser’s address', async () => {
  const found = await complaints({ DATABASE_URL: db.url })
  assert.deepEqual(
    found.map(({ name, state }) => [name, state]),
    [['database role', 'warning']],
  )
})

test('an unreadable schema is not mistaken for another release’s', async () => {
  const other = asDatabaseOwner(await freshDatabase())
  await other.run`alter table migrations rename to kept`
  await other.run`create view migrations as select name, (1 / length(substr(hash, 1, 0)))::text as hash from kept`
  const patient = meetPatient({ ...well, DATABASE_URL: other.url }, { clock: systemClock })
  const findings = await runChecks(checks, patient)
  await patient.leave()
  const of = (check: string) => findings.find(({ name }) => name === check)!
  assert.match(of('schema').finding, /^The check failed: division by zero/)
  assert.deepEqual(of('database role'), {
    ...{ name: 'database role', state: 'skipped' },
    finding: 'The schema of the database couldn’t be read.',
  })
})

test('the check of the replica reports one that does not respond, and one that accepts writes', async () => {
  const replica = async (url: string) =>
    (await complaints({ DATABASE_URL: db.url, DATABASE_REPLICA_URL: url })).filter(({ name }) => name === 'replica')
  const [away] = await replica('postgres://x:y@127.0.0.1:9/z')
  assert.match(away!.finding, /^It doesn’t respond: .*ECONNREFUSED/)
  assert.match(away!.advice!, /DATABASE_REPLICA_URL/)
  assert.match((await replica(db.url))[0]!.finding, /^It is not a standby/)
})

test('passkeys of a former APP_URL are counted', async () => {
  const { id } = await db.one<{ id: string }>`select id from users limit 1`
  for (const [credential, rp] of [
    ['one', 'old.example'],
    ['two', 'old.example'],
    ['three', 'localhost'],
  ])
    await db.run`
      insert into passkeys (id, user_id, rp_id, credential_id, public_key, counter, transports, name, created_at)
      values (gen_random_uuid(), ${id}, ${rp}, ${credential}::text::bytea, 'key', 0, '{}', 'Key', now())`
  const patient = meetPatient({ ...well, APP_URL: 'http://localhost:9' }, { clock: systemClock })
  const [found] = await runChecks([passkeys], patient)
  await patient.leave()
  await db.run`delete from passkeys`
  assert.equal(found!.finding, 'Made under a former APP_URL and no longer usable: 2 passkeys of 1 person.')
})

test('internal problems are reported: a newer database, unusable tokens, disabled webhooks, parked work', async () => {
  await db.run`insert into migrations (name, hash, applied_at) values ('9999-later.sql', 'x', now())`
  const newer = await complaints().finally(() => db.run`delete from migrations where name = '9999-later.sql'`)
  assert.deepEqual(
    newer.map(({ name }) => name),
    ['schema'],
  )
  assert.match(newer[0]!.advice!, /9999-later\.sql, which this release doesn’t know/)

  const { token } = await signIn(running as unknown as TestApp, ADMINISTRATOR.email, ADMINISTRATOR.password)
  const body = { name: 'Northwind', owner: { email: anEmail('owner') } }
  const { id } = expectOk(await running.api('POST', '/accounts', { token, body })).body
  await db.run`
    insert into outgoing_webhooks (id, account_id, name, url, events, secret_sealed, enabled, disabled_reason, created_at, updated_at)
    values (gen_random_uuid(), ${id}, 'Books', 'https://books.example/hook', '{lead.created}', '', false, 'Gone.', now(), now())`
  await db.run`insert into payout_accounts (account_id, updated_at) values (${id}, now()) on conflict do nothing`
  await db.run`insert into wise_accounts (account_id, token_sealed, updated_at) values (${id}, 'x', now())`
  await db.run`insert into pgboss.job (name, data) values ('parked', '{}')`
  const found = await complaints()
  assert.deepEqual(
    found.map(({ name, state }) => [name, state]),
    [
      ['queue', 'warning'],
      ['wise', 'fault'],
      ['webhooks', 'warning'],
    ],
    JSON.stringify(found),
  )
  assert.match(found[2]!.finding, /^'Books' of account .* to books\.example was turned off: Gone\./)
})

test('a database that may lose committed data is reported', async () => {
  const unsafe = meetPatient({ ...well, DATABASE_URL: (await freshDatabase()).url }, { clock: systemClock })
  const [found] = await runChecks([database], unsafe)
  await unsafe.leave()
  assert.match(found!.finding, /^fsync and full_page_writes are off/)
})
