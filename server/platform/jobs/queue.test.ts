import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { eventually, startApp } from '../../../test/support/app.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { providerEventQueue } from '../../integrations/payment-providers/queue.ts'
import { payOutQueue } from '../../program/payouts/queue.ts'
import { queues } from '../../queues.ts'
import { work } from '../../work.ts'
import { newId } from '../database/ids.ts'
import { transaction } from '../database/pool.ts'
import { clockQueue } from './clocks.ts'
import { createJobs } from './queue.ts'

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
  await eventually(async () => {
    const { left } = await services.db.one<{ left: number }>`
      select count(*) as left from pgboss.job where name = 'provider-event' and state not in ('completed')`
    return left === 0
  }, 60_000)
})

test('every queue of a database has a worker', () => {
  const names = (some: { name: string }[]) => some.map(({ name }) => name).sort()
  assert.deepEqual(names(queues), names([...work.map(({ queue }) => queue), clockQueue]))
})
