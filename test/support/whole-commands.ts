import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { type Database, openDatabase } from '../../server/platform/database/pool.ts'
import { waitUntil } from './app.ts'
import { clickPersistently, type Passage, pushPersistently, readPersistently } from './persistent-load.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { startProcesses } from './processes.ts'
import { aSellingAccount, type Running } from './running.ts'
import { addressOfBoth, startPrimary, startStandby } from './standby.ts'

const log = pino({ level: 'silent' })
const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Pushes sales through two web and two worker processes behind a PgBouncer, which read lists from a synchronous
 * standby; kills the primary when half of them are in, promotes the standby and points the PgBouncer to it. Every sale
 * must be in the lists at once and only once, and the ledger must agree. Returns the figures of the run.
 */
export async function playWhole({ sales: most, lanes = 32 }: { sales: number; lanes?: number }) {
  const primary = await startPrimary()
  const standby = await startStandby(primary, { synchronous: true })
  const bouncer = await startPgBouncer(primary.url)
  after(() => bouncer.close())
  const variables = {
    DATABASE_URL: bouncer.url,
    DATABASE_DIRECT_URL: addressOfBoth(primary, standby),
    DATABASE_POOLING: 'transaction',
    DATABASE_REPLICA_URL: standby.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
  }
  const [first, second] = await startProcesses(['web', 'web', 'worker', 'worker'], variables)
  const webs = [first!, second!]
  const account = await aSellingAccount(webs[0]!)
  const began = performance.now()
  const sales = pushPersistently(webs, account, { most, lanes })
  const clicks = clickPersistently(webs, account, { lanes: 4 })
  const lists = readPersistently(webs, account, sales.newest)
  await waitUntil(() => sales.acknowledged.size >= most / 2, 3_600_000)
  const fromReplica = await readsFromReplica(webs)
  assert.ok(fromReplica > 0, 'lists are read from the replica')
  await primary.kill()
  await standby.promote()
  await bouncer.leadTo(standby.url)
  await sales.done
  const took = performance.now() - began
  await clicks.stop()
  const reads = await lists.stop()

  const db = openDatabase({ url: standby.url, log, max: 1 })
  try {
    await isAllThere(db, sales.acknowledged, most, clicks.clicks)
    await waitUntil(async () => (await waiting(db)) === 0, 600_000)
    await ranOnce(db)
  } finally {
    await db.close()
  }
  await ledgerAgrees({ ...variables, DATA_DIR: first!.dataDir })
  const pauses = { longestPauseMs: longestPause(sales.passages) }
  return { perSecond: most / (took / 1000), clicks: clicks.clicks.length, reads, fromReplica, ...pauses }
}

async function readsFromReplica(webs: Running[]) {
  const pages = await Promise.all(webs.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()))
  const reads = pages.map((page) => Number(/^tributary_replica_reads_total\{from="replica"\} (\d+)/m.exec(page)?.[1]))
  return reads.reduce((sum, one) => sum + one, 0)
}

async function isAllThere(db: Database, acknowledged: Map<string, string>, most: number, clicks: string[]) {
  assert.equal(acknowledged.size, most)
  const kept = await db.many<{ id: string; externalId: string }>`select id, external_id from sales`
  assert.equal(kept.length, most)
  for (const { id, externalId } of kept) assert.equal(id, acknowledged.get(externalId))
  const { found } = await db.one<{ found: number }>`
    select count(*) as found from clicks where id = any(${clicks}::uuid[])`
  assert.equal(found, new Set(clicks).size)
}

const waiting = async (db: Database) =>
  (await db.one<{ count: number }>`select count(*) as count from event_relays where parked_at is null`).count

/** Asserts that no clock struck twice in a minute, whichever process struck it. */
async function ranOnce(db: Database) {
  const twice = await db.many`
    select singleton_key, date_trunc('minute', created_on) as minute, count(*) as count
    from pgboss.job where name = 'clock' group by 1, 2 having count(*) > 1`
  assert.deepEqual(twice, [])
}

/** Runs the operator's command. */
async function ledgerAgrees(variables: Record<string, string>) {
  const env = { PATH: process.env.PATH, ...variables }
  const { stdout } = await promisify(execFile)(process.execPath, ['server/tributary.js', 'verify-ledger'], {
    cwd: root,
    env,
  })
  assert.match(stdout, /is consistent/)
}

const longestPause = (passages: Passage[]) =>
  Math.max(...passages.map(({ at }, index) => at - (passages[index - 1]?.at ?? at)))
