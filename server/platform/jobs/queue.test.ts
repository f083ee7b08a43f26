import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { eventually, startApp } from '../../../test/support/app.ts'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import { providerEventQueue } from '../../integrations/payment-providers/queue.ts'
import { payOutQueue } from '../../program/payouts/queue.ts'
import { queues } from '../../queues.ts'
import { work } from '../../work.ts'
import { newId } from '../database/ids.ts'
import { transaction } from '../database/pool.ts'
import { clockQueue } from './clocks.ts'
import { createJobs, PARKED } from './queue.ts'
import { startWork, worksOn } from './worker.ts'

const log = pino({ level: 'silent' })

async function queue() {
  const db = await freshDatabase()
  const jobs = createJobs(db.url, log)
  return { db, jobs }
}

test('a job is there exactly if its transaction commits', async (t) => {
  const { db, jobs } = await queue()
  t.after(() => jobs.stop({ graceful: false }))
  await transaction(db, (tx) => jobs.add(tx, payOutQueue, { payoutId: 'kept' }))
  const lost = transaction(db, async (tx) => {
    await jobs.add(tx, payOutQueue, { payoutId: 'rolled back' })
    throw new Error('no')
  })
  await assert.rejects(lost, /no/)
  const found = await (await jobs.boss()).fetch<{ payoutId: string }>('pay-out', { batchSize: 10 })
  assert.deepEqual(
    found.map((job) => job.data.payoutId),
    ['kept'],
  )
})

test('the job of a worker that died runs again, and its effect is there once', { timeout: 90_000 }, async (t) => {
  const { db, jobs } = await queue()
  await ownerOf(db).run`create table effects (id text primary key)`
  await transaction(db, (tx) => jobs.add(tx, payOutQueue, { payoutId: 'a' }))
  // a worker takes the job, does half of it and is gone: it never says that it lives
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
  await eventually(() => runs.length === 1, 60_000)
  const { count } = await db.one<{ count: number }>`select count(*) as count from effects`
  assert.equal(count, 1)
})

test('a hundred jobs are done soon', async () => {
  const app = await startApp({ worker: true })
  const { services } = app
  await transaction(services.db, async (tx) => {
    for (let n = 0; n < 100; n++) await services.jobs.add(tx, providerEventQueue, { eventId: newId() })
  })
  await eventually(async () => {
    const { left } = await services.db.one<{ left: number }>`
      select count(*) as left from pgboss.job where name = 'provider-event' and state not in ('completed')`
    return left === 0
  }, 60_000)
})

test('every queue that a database is given has somebody who does its jobs', () => {
  const names = (some: { name: string }[]) => some.map(({ name }) => name).sort()
  assert.deepEqual(names(queues), names([...work.map(({ queue }) => queue), clockQueue]))
})

test('a job that froze its process twice is parked; one that only failed goes on trying', async (t) => {
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
  await eventually(async () => (await statesOf('freezes'))[0] === PARKED, 30_000)
  assert.equal(runs.freezes, 2)
  await add('fails')
  await eventually(() => runs.fails > 2, 30_000)
  assert.deepEqual(await statesOf('fails'), [payOutQueue.name])
})
