import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '../../../test/support/app.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { listenToChannels } from './listen.ts'

test('all listeners in a process share one connection, which reconnects for all of them', async () => {
  const db = await freshDatabase()
  const notifications: string[] = []
  const gaps = { one: 0, other: 0 }
  const one = listenToChannels(db, { sales: (payload) => notifications.push(`one ${payload}`) }, () => gaps.one++)
  const other = listenToChannels(
    db,
    {
      sales: (payload) => notifications.push(`other ${payload}`),
      links: (payload) => notifications.push(`links ${payload}`),
    },
    () => gaps.other++,
  )
  await Promise.all([one.ready, other.ready])
  const third = listenToChannels(db, { mails: (payload) => notifications.push(`mails ${payload}`) }, () => {})
  await third.ready

  const listeners = async () =>
    (
      await db.many<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'`
    ).map(({ pid }) => pid)
  const tell = async (channel: string, payload: string) => db.run`select pg_notify(${channel}, ${payload})`
  const [first, ...more] = await listeners()
  assert.deepEqual(more, [])
  await tell('sales', 'a')
  await tell('links', 'b')
  await tell('mails', 'c')
  await waitUntil(() => notifications.length === 4)
  assert.deepEqual(notifications, ['one a', 'other a', 'links b', 'mails c'])

  const before = { ...gaps }
  await asDatabaseOwner(db).run`select pg_terminate_backend(${first}::int)`
  await waitUntil(() => gaps.one > before.one && gaps.other > before.other)
  await tell('sales', 'd')
  await waitUntil(() => notifications.length === 6)

  await one.close()
  await tell('sales', 'e')
  await waitUntil(() => notifications.length === 7)
  assert.equal(notifications.at(-1), 'other e')
  await other.close()
  await third.close()
  await waitUntil(async () => (await listeners()).length === 0)

  const late = listenToChannels(db, { sales: (payload) => notifications.push(`late ${payload}`) }, () => {})
  await late.ready
  await tell('sales', 'f')
  await waitUntil(() => notifications.at(-1) === 'late f')
  await late.close()
})

test('listeners may subscribe at once', async () => {
  const db = await freshDatabase()
  const warnings: string[] = []
  const onWarning = ({ message }: Error) => warnings.push(message)
  process.on('warning', onWarning)
  const first = listenToChannels(db, { sales: () => {} }, () => {})
  await first.ready
  const notifications: string[] = []
  const others = ['links', 'mails', 'leads', 'clicks'].map((channel) =>
    listenToChannels(db, { [channel]: () => notifications.push(channel) }, () => {}),
  )
  await Promise.all(others.map(({ ready }) => ready))
  await db.run`select pg_notify('clicks', '')`
  await waitUntil(() => notifications.length === 1)
  await Promise.all([first, ...others].map(({ close }) => close()))
  process.off('warning', onWarning)
  assert.deepEqual(warnings, [])
})
