import assert from 'node:assert/strict'
import { test } from 'node:test'
import { system as examples } from '#contract/examples/system.ts'
import type { System } from '#contract/system.ts'
import { findTroubles, parkedIn } from './trouble.ts'

const well = examples.getSystem.reply as System
const [mail] = well.queues as [System['queues'][number]]

test('a healthy system shows no message', () => {
  assert.deepEqual(findTroubles(well), [])
})

test('a disk counts as full by percentage and by bytes', () => {
  const disk = (freeBytes: number, totalBytes: number) =>
    findTroubles({ ...well, storage: { ...well.storage, freeBytes, totalBytes } }).map(({ kind }) => kind)
  assert.deepEqual(disk(50_000_000_000, 2_000_000_000_000), ['disk'])
  assert.deepEqual(disk(900_000_000, 10_000_000_000), ['disk'])
  assert.deepEqual(disk(5_000_000_000, 40_000_000_000), [])
})

test('the queue that has been late longest is named', () => {
  const late = {
    ...well,
    queues: [
      { ...mail, oldestSeconds: 400 },
      { ...mail, name: 'import', oldestSeconds: 900 },
    ],
  }
  assert.deepEqual(findTroubles(late), [{ kind: 'late', queue: 'import', seconds: 900 }])
  assert.deepEqual(findTroubles({ ...well, events: { ...well.events, oldestSeconds: 300 } }), [
    { kind: 'late', queue: 'events', seconds: 300 },
  ])
  assert.deepEqual(findTroubles({ ...well, queues: [{ ...mail, oldestSeconds: 299 }] }), [])
})

test('parked events and jobs are counted, a failure that is retried automatically is not', () => {
  const queues = [
    { ...mail, failed: 2 },
    { ...mail, name: 'clock', failed: 7, parks: false },
  ]
  const failing = { ...well, queues, events: { ...well.events, parked: 1 } }
  assert.equal(parkedIn(failing), 3)
  assert.deepEqual(findTroubles(failing), [{ kind: 'parked', count: 3 }])
})

test('failed mails and a database that is nearly out of connections are reported', () => {
  const busy = { ...well, database: { ...well.database, connections: 90 }, mail: { ...well.mail, failures: 2 } }
  assert.deepEqual(findTroubles(busy), [
    { kind: 'connections', used: 90, max: 100 },
    { kind: 'mail', count: 2 },
  ])
})

test('a replica that does not follow is reported, with its state', () => {
  const having = (status: 'follows' | 'behind') => ({
    ...well,
    database: { ...well.database, replica: { is: status, lagSeconds: status === 'behind' ? 3600 : 0 } },
  })
  assert.deepEqual(findTroubles(having('follows')), [])
  assert.deepEqual(findTroubles(having('behind')), [{ kind: 'replica', state: 'behind' }])
})

test('a backup that should have been written by now counts as missed', () => {
  const backups = { ...well.backups!, newestAt: '2026-07-20T02:00:00.000Z', isOverdue: true }
  assert.deepEqual(findTroubles({ ...well, backups }), [{ kind: 'backups', since: backups.newestAt }])
  assert.deepEqual(findTroubles({ ...well, backups: { ...backups, isOverdue: false } }), [])
  assert.deepEqual(findTroubles({ ...well, backups: null }), [])
  const since = '2026-07-21T02:00:00.000Z'
  const failing = { kind: 'failing-backups', since }
  assert.deepEqual(findTroubles({ ...well, backups: { ...backups, failingSince: since } }), [failing])
})
