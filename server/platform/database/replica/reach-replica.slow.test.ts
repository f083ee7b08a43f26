import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { waitUntil } from '../../../../test/support/app.ts'
import { startPgBouncer, withoutPgBouncer } from '../../../../test/support/pgbouncer.ts'
import { createTestDatabase } from '../../../../test/support/postgres.ts'
import { startReplicated } from '../../../../test/support/replicated.ts'
import { startStandby } from '../../../../test/support/standby.ts'
import { runChecks } from '../../../doctor/check.ts'
import { meetPatient } from '../../../doctor/patient.ts'
import { replica as check } from '../../../doctor/replica.ts'
import { ConfigError } from '../../config/config.ts'
import { notFound } from '../../refusal.ts'
import type { Pooling } from '../connection-settings.ts'
import { openDatabase, systemClock } from '../pool.ts'
import { checkDatabaseRole } from '../serving-role.ts'
import { reachReplica } from './reach-replica.ts'
import type { Replica } from './replica.ts'
import { readPosition, replicaInWords, stateAt } from './replica-state.ts'

const silent = pino({ level: 'silent' })
const { primary, standby, addresses } = await startReplicated()
const db = openDatabase({ ...addresses, log: silent })
after(db.close)

async function asOwner(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}

await asOwner(primary.url, 'create table notes (id int); grant select, insert on notes to postgres_serving')
const write = (id: number) => db.run`insert into notes values (${id})`

type Line = { level: number; msg: string; advice?: string }

/** Connects to the replica as a process does; returns it with its log. */
async function reach(url = standby.url, databasePooling: Pooling = 'session') {
  const lines: Line[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const config = { databaseReplicaUrl: url, databasePooling, processRole: 'all' } as const
  const replica = await reachReplica({ config, primary: db, log })
  assert.ok(replica)
  after(replica.close)
  return { replica, lines }
}

const follows = (replica: Replica) => waitUntil(async () => (await replica.look()).status === 'follows')

/** Reads from the replica, retrying on a busy machine until it was fast enough. */
async function readThere<T>(replica: Replica, work: Parameters<Replica['read']>[0]): Promise<T> {
  return waitUntil(async () => {
    await follows(replica)
    const before = replica.reads.get('replica')!
    const answer = await replica.read(work)
    return replica.reads.get('replica')! > before ? { answer: answer as T } : null
  }).then(({ answer }) => answer)
}

const count = (one: { one: typeof db.one }) => one.one<{ count: number; standby: boolean }>`
  select count(*)::int as count, pg_is_in_recovery() as standby from notes`

test('nothing is set up without the variable, nor in a process that serves no calls', async () => {
  const given = { primary: db, log: silent }
  for (const config of [
    { databaseReplicaUrl: null, processRole: 'all' },
    { databaseReplicaUrl: 'postgres://nowhere/x', processRole: 'worker' },
  ] as const)
    assert.equal(await reachReplica({ config: { ...config, databasePooling: 'session' }, ...given }), undefined)
})

test('reads use the serving role, in one transaction, and see everything already written', async () => {
  const { replica, lines } = await reach()
  const role = await readThere(replica, (tx) => checkDatabaseRole(tx as typeof db))
  assert.deepEqual(role, { role: 'postgres_serving', power: 'rows' })
  await write(1)
  assert.deepEqual(await readThere(replica, count), { count: 1, standby: true })
  // a busy machine may have been behind before
  assert.equal(lines.at(-1)!.msg, 'the replica is read from')
})

test('concurrent reads ask the primary together, and each sees what was written before it', async () => {
  const { replica } = await reach()
  await follows(replica)
  for (let round = 0; round < 10; round++) {
    await write(2)
    const { count: written } = await count(db)
    const all = await Promise.all(Array.from({ length: 15 }, () => replica.read(count)))
    for (const one of all) assert.equal(one.count, written)
  }
})

test('a paused replica is never used: three reads wait for it, the others do not', async () => {
  const { replica, lines } = await reach()
  await follows(replica)
  await standby.pause()
  try {
    await write(3)
    const { count: written } = await count(db)
    for (let turn = 0; turn < 10; turn++)
      assert.deepEqual(await replica.read(count), { count: written, standby: false })
    const warnings = lines.filter(({ level }) => level >= 40)
    assert.equal(warnings.length, 1, 'said once')
    assert.match(warnings[0]!.msg, /everything is read from the primary.* It is [\d,]+ seconds? behind\.$/)
    assert.match(warnings[0]!.advice!, /pg_stat_replication/)
    await sleep(1000)
    await write(3)
    const { status, lagSeconds } = await replica.look()
    assert.equal(status, 'behind')
    assert.ok(lagSeconds! >= 1, `${lagSeconds} s`)
    const patient = meetPatient(
      { DATABASE_URL: primary.url, DATABASE_REPLICA_URL: standby.url },
      { clock: systemClock },
    )
    const [found] = await runChecks([check], patient)
    await patient.leave()
    assert.match(
      `${found!.state}: ${found!.finding} ${found!.advice}`,
      /^warning: It is \d+ seconds behind\. See pg_stat/,
    )
  } finally {
    await standby.resume()
  }
  await follows(replica)
  assert.equal((await readThere<{ standby: boolean }>(replica, count)).standby, true)
})

test('a replica that dies during a read, or while idle, is used again when it returns', async () => {
  const { replica, lines } = await reach()
  await follows(replica)
  let tries = 0
  try {
    const answer = await replica.read(async (tx) => {
      tries += 1
      if ((await count(tx)).standby) await standby.kill()
      return count(tx)
    })
    assert.deepEqual([tries, answer.standby], [2, false])
    await waitUntil(() => /It doesn’t respond/.test(lines.at(-1)!.msg))
    assert.equal((await replica.read(count)).standby, false)
  } finally {
    await standby.start()
  }
  await follows(replica)
  assert.equal((await readThere<{ standby: boolean }>(replica, count)).standby, true)
})

test('a read canceled by replay is repeated on the primary', async () => {
  await asOwner(standby.url, 'alter system set max_standby_streaming_delay = 0')
  await asOwner(standby.url, 'select pg_reload_conf()')
  const { replica, lines } = await reach()
  const tries: boolean[] = []
  await waitUntil(async () => {
    await follows(replica)
    tries.length = 0
    await replica.read(async (tx) => {
      const { standby } = await count(tx)
      tries.push(standby)
      if (!standby) return
      const reading = tx.many`select pg_sleep(10)`
      await Promise.all([reading, asOwner(primary.url, 'truncate notes')])
    })
    return tries.length === 2
  })
  assert.deepEqual(tries, [true, false])
  assert.match(lines.at(-1)!.msg, /failed on the replica/)
  assert.equal((await replica.look()).status, 'follows', 'it is not left alone for that')
})

test('a refusal is not retried, and an accidental write runs on the primary', async () => {
  const { replica } = await reach()
  await follows(replica)
  let tries = 0
  const refused = replica.read(async () => {
    tries += 1
    throw notFound()
  })
  await assert.rejects(refused, { reason: 'not_found' })
  assert.equal(tries, 1)
  const { count: before } = await count(db)
  await replica.read((tx) => tx.run`insert into notes values (9)`)
  assert.equal((await count(db)).count, before + 1)
})

test('a replica an hour behind is reported as such', () => {
  assert.equal(replicaInWords({ status: 'behind', lagSeconds: 3599.2 }).finding, 'It is 3,600 seconds behind.')
})

const at = (url: string, changes: Partial<URL>) => Object.assign(new URL(url), changes).href

test('a wrong address is refused at the start, one that may recover is not', async () => {
  await asOwner(primary.url, 'create database elsewhere')
  await follows((await reach()).replica)
  const stranger = await createTestDatabase()
  after(stranger.drop)
  const refusals: [url: string, message: RegExp][] = [
    [at(standby.url, { pathname: '/elsewhere' }), /holds the address of another database than DATABASE_URL leads to/],
    [stranger.url, /holds the address of another database/],
    [at(standby.url, { password: 'canary' }), /^DATABASE_REPLICA_URL holds \d+ characters; .*authentication failed/],
    [at(standby.url, { pathname: '/nowhere' }), /database "nowhere" does not exist/],
  ]
  for (const [url, message] of refusals)
    await assert.rejects(reach(url), (error: Error) => {
      assert.ok(error instanceof ConfigError, error.stack)
      assert.match(error.message, message)
      assert.ok(!error.message.includes('canary'))
      return true
    })
  for (const [url, status] of [
    [primary.url, 'promoted'],
    ['postgres://x:y@127.0.0.1:9/z', 'away'],
  ] as const) {
    const { replica, lines } = await reach(url)
    assert.equal((await replica.look()).status, status)
    assert.equal(lines.filter(({ level }) => level >= 40).length, 1)
    assert.equal((await replica.read(count)).standby, false)
  }
})

describe('behind a real PgBouncer', { skip: withoutPgBouncer }, () => {
  test('transaction mode is used for reads, statement mode is refused', async () => {
    const bouncer = await startPgBouncer(standby.url)
    after(bouncer.close)
    const { replica } = await reach(bouncer.url, 'transaction')
    assert.equal((await readThere<{ standby: boolean }>(replica, count)).standby, true)
    const role = await readThere(replica, (tx) => checkDatabaseRole(tx as typeof db))
    assert.deepEqual(role, { role: 'postgres_serving', power: 'rows' })
    const statements = await startPgBouncer(standby.url, { mode: 'statement' })
    after(statements.close)
    await assert.rejects(reach(statements.url, 'transaction'), /DATABASE_REPLICA_URL holds .* statement pooling mode/)
  })
})

test('after a failover, a replica that still follows the former primary is not used, however advanced', async () => {
  const successor = await startStandby(primary)
  await successor.promote()
  const promoted = openDatabase({ url: successor.url, log: silent, max: 1 })
  const left = openDatabase({ url: standby.url, log: silent, max: 1 })
  after(() => Promise.all([promoted.close(), left.close()]))
  await write(10)
  assert.equal((await stateAt(await readPosition(promoted), async () => left)).status, 'elsewhere')
  assert.equal((await stateAt(await readPosition(db), async () => promoted)).status, 'promoted')
})
