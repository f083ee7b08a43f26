import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { spreadTables } from '../../server/platform/database/cluster/spread.ts'
import { migrateSchema } from '../../server/platform/database/migrate.ts'
import { transaction } from '../../server/platform/database/pool.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { waitUntil } from '../support/app.ts'
import { openFor } from '../support/backups.ts'
import { findCitus, startCluster } from '../support/cluster.ts'
import { pushPersistently } from '../support/persistent-load.ts'
import { startProcesses } from '../support/processes.ts'
import { aSellingAccount, type Running } from '../support/running.ts'

/** Longest pause in milliseconds between two sales of an account whose machine is well, while tests run beside. */
const UNNOTICED_MS = 4000
/** Milliseconds for which a machine stays away. */
const AWAY_MS = 6000

const cluster = await startCluster({ binaries: findCitus()! })
const db = openFor(cluster.url)
await migrateSchema(db)
await transaction(db, (tx) => spreadTables(tx))

const machineOf = (accountId: string) => db.value<number>`
  select nodeport from citus_shards
  where table_name = 'sales'::regclass and shardid = get_shard_id_for_distribution_column('sales', ${accountId}::uuid)`

/** Returns one selling account on each of two machines. */
async function oneOnEach(web: Running) {
  const first = await aSellingAccount(web)
  const there = await machineOf(first.id)
  for (let tries = 0; tries < 20; tries++) {
    const second = await aSellingAccount(web)
    if ((await machineOf(second.id)) !== there) return [first, second] as const
  }
  throw new Error('every account is on one machine')
}

const longestPause = (times: number[]) => Math.max(...times.slice(1).map((time, index) => time - times[index]!))

test('a killed worker stops only its own accounts, and neither it nor the coordinator loses or doubles a sale', async (t) => {
  const [web] = await startProcesses(['web', 'worker'], {
    DATABASE_URL: cluster.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true',
    LOG_LEVEL: 'error',
  })
  const [well, ill] = await oneOnEach(web!)
  const worker = cluster.workers[(await machineOf(ill.id)) === Number(new URL(cluster.workers[0]!.url).port) ? 0 : 1]!
  const loads = [well, ill].map((account) => pushPersistently([web!], account, { lanes: 4 }))
  after(() => Promise.allSettled(loads.map((load) => load.stop())))
  const [onWell, onIll] = loads as [(typeof loads)[0], (typeof loads)[0]]
  await waitUntil(() => loads.every((load) => load.acknowledged.size > 20), 60_000)

  await worker.kill()
  const killed = performance.now()
  await sleep(AWAY_MS)
  const during = performance.now()
  await worker.start()
  await waitUntil(() => onIll.passages.some(({ at }) => at > during), 60_000)
  const back = onIll.passages.find(({ at }) => at > during)!.at - during
  const passagesBetween = onWell.passages.map(({ at }) => at).filter((at) => at > killed - 1000 && at < during)
  assert.ok(longestPause(passagesBetween) < UNNOTICED_MS, `a pause of ${longestPause(passagesBetween)} ms`)
  assert.ok(!onIll.passages.some(({ at }) => at > killed + 500 && at < during), 'sales without their machine')

  await cluster.coordinator.kill()
  const gone = performance.now()
  await cluster.coordinator.start()
  const started = performance.now()
  await waitUntil(() => loads.every((load) => load.passages.some(({ at }) => at > started)), 60_000)
  t.diagnostic(
    `sales of the other machine paused for ${Math.round(longestPause(passagesBetween))} ms at most; those of the killed one came back after ${Math.round(back)} ms; the coordinator was away for ${Math.round(started - gone)} ms`,
  )
  await Promise.all(loads.map((load) => load.stop()))

  // what was decided while a machine was away is finished once a minute by Citus itself
  await db.run`select recover_prepared_transactions()`
  for (const [account, load] of [
    [well, onWell],
    [ill, onIll],
  ] as const) {
    const kept = await db.many<{ id: string; externalId: string }>`
      select id, external_id from sales where account_id = ${account.id}`
    assert.deepEqual(new Map(kept.map(({ id, externalId }) => [externalId, id])), load.acknowledged)
    assert.equal(kept.length, load.acknowledged.size)
  }
  assert.deepEqual(await verifyLedger(db), [])
})
