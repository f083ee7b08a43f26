import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { startApp, waitUntil } from '../../../test/support/app.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { payOutQueue } from '../../program/payouts/queue.ts'
import { transaction } from '../database/pool.ts'
import { createJobs, PARKED } from './queue.ts'
import { startWork, worksOn } from './worker.ts'

const log = pino({ level: 'silent' })

test('the job of a worker that died runs again, and has its effect once', { timeout: 90_000 }, async (t) => {
  const db = await freshDatabase()
  const jobs = createJobs(db.url, log)
  await asDatabaseOwner(db).run`create table effects (id text primary key)`
  await transaction(db, (tx) => jobs.add(tx, payOutQueue, { payoutId: 'a' }))
  // a worker takes the job, does half of it and dies: it sends no heartbeat
  const dying = createJobs(db.url, log)
  const [taken] = await (await dying.boss()).fetch('pay-out')
  assert.ok(taken)
  await db.run`insert into effects values ('a') on conflict do nothing`
  await dying.stop({ graceful: false, close: true })

  const runs: string[] = []
  await (await jobs.boss()).work<{ payoutId: string }>('pay-out', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    runs.push(job!.data.payoutId)
    await db.run`insert into effects values (${job!.data.payoutId}) on conflict do nothing`
  })
  t.after(() => jobs.stop({ graceful: false }))
  await waitUntil(() => runs.length === 1, 60_000)
  const { count } = await db.one<{ count: number }>`select count(*) as count from effects`
  assert.equal(count, 1)
})

test('a job that froze its process twice is parked; one that only failed is retried', async (t) => {
  const app = await startApp()
  const { services } = app
  const runs = { freezes: 0, fails: 0 }
  const worker = await startWork(services, {
    work: [
      worksOn(payOutQueue, async (_, { payoutId }) => {
        const isFreezing = payoutId === 'freezes'
        runs[payoutId as keyof typeof runs]++
        for (const until = performance.now() + (isFreezing ? 600 : 0); performance.now() < until; );
        throw new Error('planted')
      }),
    ],
    clocks: { never: { cron: '0 0 1 1 *', retryLimit: 0, run: async () => {} } },
    listeners: [],
    frozenMs: 400,
  })
  t.after(() => worker.stop())
  const add = (payoutId: string) => transaction(services.db, (tx) => services.jobs.add(tx, payOutQueue, { payoutId }))
  const statesOf = async (payoutId: string) =>
    (
      await services.db.many<{ name: string }>`
        select name from pgboss.job where data ->> 'payoutId' = ${payoutId} and state < 'completed'`
    ).map(({ name }) => name)
  await add('freezes')
  await waitUntil(async () => (await statesOf('freezes'))[0] === PARKED, 30_000)
  assert.equal(runs.freezes, 2)
  await add('fails')
  await waitUntil(() => runs.fails > 2, 30_000)
  assert.deepEqual(await statesOf('fails'), [payOutQueue.name])
})
