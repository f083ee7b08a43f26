import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { int8Array, uuidArray } from './binary-array.ts'
import { NIL, newId } from './ids.ts'

const db = await freshDatabase()

const ids = [NIL, 'ffffffff-ffff-ffff-ffff-ffffffffffff', newId(), ...Array.from({ length: 500 }, () => randomUUID())]

for (const list of [[], ids.slice(0, 1), ids])
  test(`${list.length} IDs survive a round trip, and are counted from 1`, async () => {
    const sent = uuidArray(list)
    const { back, first } = await db.one`select ${sent}::uuid[]::text[] as back, (${sent}::uuid[])[1]::text as first`
    assert.deepEqual([back, first], [list, list[0] ?? null])
  })

test('numbers and null survive a round trip', async () => {
  const least = -(2n ** 63n)
  for (const list of [[], [null], [0n, null, -1n, 1n, least, 2n ** 63n - 1n, null], Array<bigint>(500).fill(least)]) {
    const { back } = await db.one`select ${int8Array(list)}::bigint[]::text[] as back`
    assert.deepEqual(
      back,
      list.map((value) => value?.toString() ?? null),
    )
  }
})
