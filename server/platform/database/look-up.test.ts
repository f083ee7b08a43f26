import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { createLookUp } from './look-up.ts'

test('simultaneous look-ups are one query, and missing rows are undefined', async () => {
  const db = await freshDatabase()
  const queries: number[][] = []
  const lookUp = createLookUp<number, number>(async (keys) => {
    queries.push(keys)
    const rows = await db.many<{ key: number }>`select key from unnest(${keys}::int[]) as wanted (key) where key < 3`
    return new Map(rows.map(({ key }) => [key, key * 10]))
  })
  const first = Promise.all([lookUp(1), lookUp(2), lookUp(1)])
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  const later = Promise.all([lookUp(1), lookUp(7)])
  assert.deepEqual(await first, [10, 20, 10])
  assert.deepEqual(await later, [10, undefined])
  assert.deepEqual(queries, [
    [1, 2],
    [1, 7],
  ])
})

test('a failing query fails its own look-ups, not later ones', async () => {
  const db = await freshDatabase()
  const lookUp = createLookUp<string, boolean>(async (keys) => {
    const rows = await db.many<{ key: string }>`select key::int::text as key from unnest(${keys}::text[]) as k (key)`
    return new Map(rows.map(({ key }) => [key, true]))
  })
  const failing = await Promise.allSettled([lookUp('1'), lookUp('no number')])
  assert.deepEqual(
    failing.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await lookUp('1'), true)
})
