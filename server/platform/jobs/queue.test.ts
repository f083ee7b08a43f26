import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { startApp, waitUntil } from '../../../test/support/app.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { providerEventQueue } from '../../integrations/payment-providers/queue.ts'
import { payOutQueue } from '../../program/payouts/queue.ts'
import { work } from '../../queue-handlers.ts'
import { queues } from '../../queues.ts'
import { newId } from '../database/ids.ts'
import { transaction } from '../database/pool.ts'
import { clockQueue } from './clocks.ts'
import { createJobs } from './queue.ts'
import { startWork, worksOn } from './worker.ts'

const log = pino({ level: 'silent' })

async function queue() {
  const db = await freshDatabase()
  const jobs = createJobs(db.url, log)
  return { db, jobs }
}

test('a job exists exactly if its transaction commits', async (t) => {
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

test('a hundred jobs finish quickly', async () => {
  const app = await startApp({ worker: true })
  const { services } = app
  await transaction(services.db, async (tx) => {
    for (let n = 0; n < 100; n++) await services.jobs.add(tx, providerEventQueue, { eventId: newId() })
  })
  await waitUntil(async () => {
    const { left } = await services.db.one<{ left: number }>`
      select count(*) as left from pgboss.job where name = 'provider-event' and state not in ('completed')`
    return left === 0
  }, 60_000)
})

test('a job is settled when it ends, while a slow one of its batch still runs', async () => {
  const { services } = await startApp()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const ends: Record<string, () => unknown> = {
    slow: () => released,
    quick: () => {},
    fails: () => {
      throw new Error('planted')
    },
  }
  const never = { cron: '0 0 1 1 *', retryLimit: 0, run: async () => {} }
  const work = [worksOn(payOutQueue, async (_, { payoutId }) => ends[payoutId]!())]
  const worker = await startWork(services, { work, clocks: { never }, listeners: [] })
  const names = Object.keys(ends).map((payoutId) => ({ payoutId }))
  await transaction(services.db, (tx) => services.jobs.addAll(tx, payOutQueue, names))
  const states = async () => {
    const rows = await services.db.many<{ name: string; state: string }>`
      select data ->> 'payoutId' as name, state::text as state from pgboss.job where name = ${payOutQueue.name}`
    return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
  }
  try {
    const ended = async () => {
      const { quick, fails } = await states()
      return quick === 'completed' && fails === 'retry'
    }
    await waitUntil(ended, 10_000)
    assert.equal((await states()).slow, 'active')
  } finally {
    release()
    await worker.stop()
  }
  assert.equal((await states()).slow, 'completed')
})

test('every queue of a database has a worker', () => {
  const names = (some: { name: string }[]) => some.map(({ name }) => name).sort()
  assert.deepEqual(names(queues), names([...work.map(({ queue }) => queue), clockQueue]))
})
