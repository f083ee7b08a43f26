import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { issueCertificate } from '../../test/fakes/certificates.ts'
import { startPgBouncer, withoutPgBouncer } from '../../test/support/pgbouncer.ts'
import { createTestDatabase } from '../../test/support/postgres.ts'
import { addressOfBoth, startPrimary, startStandby } from '../../test/support/standby.ts'
import { reachDatabase } from '../connect-database.ts'
import { changeOwner } from '../platform/database/embedded.ts'
import { systemClock } from '../platform/database/pool.ts'
import { createSecrets } from '../platform/database/secrets.ts'
import { type Check, runChecks } from './check.ts'
import { database, schema } from './database.ts'
import { meetPatient } from './patient.ts'
import { jobQueue } from './queue.ts'
import { replica } from './replica.ts'

async function runCheck(check: Check, variables: Record<string, string>) {
  const patient = meetPatient(variables, { clock: systemClock })
  try {
    return (await runChecks([check], patient)).map(({ state, finding }) => `${state}: ${finding}`).join('\n')
  } finally {
    await patient.leave()
  }
}

async function aDatabase() {
  const { url, drop } = await createTestDatabase()
  after(drop)
  return url
}

/** Runs a statement as the owner, on a temporary connection. */
async function runStatement(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

const LATE_JOB = (name: string) => `
  insert into pgboss.job (name, data, created_on, start_after)
  values ('${name}', '{}', now() - interval '20 minutes', now() - interval '20 minutes')`

test('waiting work is a fault whether or not the product runs; a former release’s queues are ignored', async () => {
  const url = await aDatabase()
  const look = () => runCheck(jobQueue, { DATABASE_URL: url })
  assert.match(await look(), /^skipped: The product isn’t running/)
  await runStatement(
    url,
    `select pgboss.create_queue('every-minute', '{"policy":"standard"}'); ${LATE_JOB('every-minute')}`,
  )
  assert.match(await look(), /^skipped: The product isn’t running/)
  await runStatement(url, `update pgboss.queue set monitor_on = '2026-03-02T15:00:00Z' where name = 'mail'`)
  assert.equal(
    await look(),
    'warning: The product isn’t running: nothing has been processed since 2026-03-02T15:00:00.000Z.',
  )
  await runStatement(url, LATE_JOB('mail'))
  assert.match(
    await look(),
    /^fault: 1 job and 0 events wait, the oldest for 20 minutes, and the product isn’t running\.$/,
  )
  const running = [1, 2].map(() => new pg.Client({ connectionString: url }))
  for (const client of running) await client.connect()
  const served = await look()
  for (const client of running) await client.end()
  assert.match(served, /^fault: 1 job and 0 events wait, the oldest for 20 minutes: no worker processes them\.$/)
})

test('the check of the schema names triggers that are missing, disabled or ineffective', async () => {
  const harm: [statement: string, named: RegExp][] = [
    ['drop trigger append_only on commission_entries', /^fault: 1 trigger .*: append_only on commission_entries\.$/],
    ['alter table payouts disable trigger all', /payout_is_its_entries on payouts/],
    ['alter table events enable replica trigger append_only', /append_only on events/],
    [
      `create function nothing() returns trigger language plpgsql as 'begin return null; end';
       create or replace trigger append_only_table before truncate on sale_corrections execute function nothing()`,
      /append_only_table on sale_corrections/,
    ],
  ]
  const whole = await aDatabase()
  assert.equal(await runCheck(schema, { DATABASE_URL: whole }), 'ok: It is up to date.')
  for (const [statement, named] of harm) {
    const url = await aDatabase()
    await runStatement(url, statement)
    assert.match(await runCheck(schema, { DATABASE_URL: url }), named)
  }
})

test('an address with only a standby, a read-only database and a paused replica are reported', async () => {
  const primary = await startPrimary()
  const standby = await startStandby(primary)
  assert.match(await runCheck(database, { DATABASE_URL: standby.url }), /^fault: It is a standby/)
  assert.doesNotMatch(
    await runCheck(database, { DATABASE_URL: addressOfBoth(primary, standby) }),
    /standby|takes no writes/,
  )
  await reachDatabase({
    config: { databaseUrl: primary.url, databaseDirectUrl: null, databasePooling: 'session' },
    ...{
      url: primary.url,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      secrets: createSecrets(Buffer.alloc(32)),
    },
  })
  await standby.pause()
  await runStatement(primary.url, 'create table later (id int)')
  const both = { DATABASE_URL: primary.url, DATABASE_REPLICA_URL: standby.url }
  const looking = meetPatient(both, { clock: systemClock })
  const [paused] = await runChecks([replica], looking)
  await looking.leave()
  assert.match(
    `${paused!.state}: ${paused!.finding}: ${paused!.advice}`,
    /^warning: It is ([1-9]\d* seconds? )?behind\.: .* its replay is paused, and goes on by/,
  )
  await standby.resume()
  await runStatement(primary.url, 'alter database postgres set default_transaction_read_only = on')
  assert.match(await runCheck(database, { DATABASE_URL: primary.url }), /fault: It accepts no writes: default_trans/)
})

test('a refused certificate, missing TLS support and a missing file stop a start at once, in one line', async () => {
  const primary = await startPrimary()
  const { cluster, user } = primary.place
  const verified = `${primary.url}?sslmode=verify-full`
  const reach = (url: string) =>
    reachDatabase({
      config: { databaseUrl: url, databaseDirectUrl: null, databasePooling: 'session' },
      ...{ url, clock: systemClock, log: pino({ level: 'silent' }), secrets: createSecrets(Buffer.alloc(32)) },
    })
  const refused = async (url: string, words: RegExp) => {
    const begun = performance.now()
    await assert.rejects(reach(url), (error: Error) => {
      assert.match(error.message, /^DATABASE_URL holds \d+ characters; it should hold /)
      assert.match(error.message, words)
      return !error.message.includes('\n')
    })
    assert.ok(performance.now() - begun < 10_000)
    assert.match(await runCheck(database, { DATABASE_URL: url }), words)
  }
  await refused(verified, /one without sslmode, not: The server does not support SSL/)
  const tls = join(cluster, 'tls')
  await mkdir(tls)
  const [keyFile, authority] = [join(tls, 'server.key'), join(tls, 'server.crt')]
  const { pem, key } = issueCertificate({ name: 'elsewhere.example' })
  await writeFile(keyFile, key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  await writeFile(authority, pem)
  await changeOwner(user, tls)
  await runStatement(primary.url, `alter system set ssl_key_file = '${keyFile}'`)
  await runStatement(primary.url, `alter system set ssl_cert_file = '${authority}'`)
  await runStatement(primary.url, 'alter system set ssl = on')
  await runStatement(primary.url, 'select pg_reload_conf()')
  await refused(verified, /certificate is valid for its host .*, not: self-signed certificate/)
  await refused(`${verified}&sslrootcert=${authority}`, /certificate is valid for its host .*, not: Hostname/)
  await refused(`${verified}&sslrootcert=${cluster}/missing.crt`, /sslrootcert, sslcert or sslkey, not: ENOENT/)
  const second = (await startPrimary()).url
  await refused(`${verified.replace('/postgres?', `,${new URL(second).host}/postgres?`)}`, /, not: /)
})

describe('behind a real PgBouncer', { skip: withoutPgBouncer }, async () => {
  test('an incorrect pooling setting is reported, as is an unreachable pooler', async () => {
    const url = await aDatabase()
    const pooler = await startPgBouncer(url, {})
    after(() => pooler.close())
    const UNDECLARED =
      /^fault: DATABASE_URL leads to a connection pooler in transaction mode, which DATABASE_POOLING doesn’t/m
    assert.match(await runCheck(database, { DATABASE_URL: pooler.url }), UNDECLARED)
    const both = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: url }
    assert.match(await runCheck(database, both), UNDECLARED)
    const declared = { ...both, DATABASE_POOLING: 'transaction' }
    assert.doesNotMatch(await runCheck(database, declared), /DATABASE_/)
    assert.match(
      await runCheck(database, { ...declared, DATABASE_DIRECT_URL: pooler.url }),
      /^fault: DATABASE_DIRECT_URL leads to a connection pooler in transaction mode/m,
    )
    const session = await startPgBouncer(url, { mode: 'session' })
    after(() => session.close())
    for (const unpooled of [url, session.url]) {
      assert.doesNotMatch(await runCheck(database, { DATABASE_URL: unpooled }), /DATABASE_/)
      assert.match(
        await runCheck(database, { ...declared, DATABASE_URL: unpooled }),
        /^warning: DATABASE_POOLING is “transaction”, but DATABASE_URL doesn’t lead to a connection pooler/m,
      )
    }
    await pooler.stop()
    assert.match(
      await runCheck(database, declared),
      /fault: DATABASE_URL doesn’t respond, but DATABASE_DIRECT_URL does/,
    )
  })
})
