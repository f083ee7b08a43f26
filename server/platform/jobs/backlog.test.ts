import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { queues } from '../../queues.ts'
import { queueBacklogs } from './backlog.ts'

const db = await freshDatabase()

/** Adds jobs of the mail queue by default, ready for this many seconds. */
const addJobs = (jobs: { since: number; priority?: number; name?: string; source?: string }[]) =>
  asDatabaseOwner(db).run`
    insert into pgboss.job (name, priority, data, source_name, start_after)
    select coalesce(j.name, 'mail'), coalesce(j.priority, 0), '{}', j.source, now() - j.since * interval '1 second'
    from jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as j (since integer, priority integer, name text, source text)`

const backlogOf = async (name: string) => (await queueBacklogs(db)).find((queue) => queue.name === name)!

test('the oldest job of a queue is reported, whatever the order', async () => {
  const { due, oldestSeconds } = await backlogOf('mail')
  assert.deepEqual({ due, oldestSeconds }, { due: 0, oldestSeconds: null })
  await addJobs([{ since: 10, priority: 1 }, { since: 300 }, { since: -600 }])
  const later = await backlogOf('mail')
  assert.equal(later.due, 2, 'what is put off is not due')
  assert.ok(later.oldestSeconds! >= 300 && later.oldestSeconds! < 330, `${later.oldestSeconds}`)
})

test('queues of a former release are ignored, whatever waits in them', async () => {
  await asDatabaseOwner(db).pool.query(`select pgboss.create_queue('every-minute', '{"policy":"standard"}')`)
  await addJobs([{ since: 3600, name: 'every-minute' }])
  const names = (await queueBacklogs(db)).map(({ name }) => name)
  assert.deepEqual(names, ['parked', ...queues.map(({ name }) => name)].sort())
})

test('parked jobs are reported by their original queue, and pg-boss’s internal queues are hidden', async () => {
  await addJobs([
    { since: 5, name: 'parked', source: 'mail' },
    { since: 5, name: 'parked', source: 'mail' },
    { since: 5, name: 'parked', source: 'import' },
  ])
  const { parks, parked } = await backlogOf('mail')
  assert.deepEqual({ parks, parked }, { parks: true, parked: 2 })
  assert.equal((await backlogOf('parked')).due, 3)
  assert.equal((await backlogOf('clock')).parks, false)
  const names = (await queueBacklogs(db)).map(({ name }) => name)
  assert.ok(!names.some((name) => name.startsWith('__')), names.join())
})
