import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { arrayText } from './array-text.ts'

const db = await freshDatabase()

const texts = [
  ['', ' ', 'a b', 'null', 'NULL', 'Null', 'nullable', ',', '{', '}', '{}', '"', '\\', '\\"', "'", 'line\nbreak', '\t'],
  ['İstanbul', '😀', 'عربى', '\u200f', 'a"b\\c,d{e}f', '-', '+', '2026-11-20', '2026-11-20T10:00:00.000Z', 'a/b?c=d&e'],
  [],
  [null, 'null', null],
]

for (const list of texts)
  test(`texts survive a round trip: ${JSON.stringify(list)}`, async () => {
    assert.equal(typeof arrayText(list), 'string')
    const { back } = await db.one<{ back: unknown[] }>`select ${list}::text[] as back`
    assert.deepEqual(back, list)
  })

test('numbers, booleans and null survive a round trip', async () => {
  const numbers = [0, -1, 1e15, 0.5, 1e21, null, 12345678901]
  const { back } = await db.one<{ back: unknown[] }>`select ${numbers}::float8[] as back`
  assert.deepEqual(back, numbers)
  const flags = [true, false, null]
  assert.deepEqual((await db.one<{ back: unknown[] }>`select ${flags}::boolean[] as back`).back, flags)
})

test('bytes, dates and nested arrays are left to the driver', async () => {
  const bytes = [Buffer.from('\\x"'), Buffer.alloc(0)]
  assert.equal(arrayText(bytes), bytes)
  assert.deepEqual((await db.one<{ back: Buffer[] }>`select ${bytes}::bytea[] as back`).back, bytes)
  const moments = [new Date('2026-11-20T10:00:00Z')]
  assert.deepEqual(
    (await db.one<{ back: string }>`select (${moments}::timestamptz[])[1] as back`).back,
    '2026-11-20T10:00:00.000Z',
  )
})
