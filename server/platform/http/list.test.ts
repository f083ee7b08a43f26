import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../test/support/hostile.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { leastIdAt } from '../database/ids.ts'
import type { Queryable } from '../database/pool.ts'
import { sql } from '../database/sql.ts'
import { dayIn } from '../time/days.ts'
import { dayFilter, listPage } from './list.ts'

const DAY_MS = 86_400_000

test('a row added while a page is read is not counted with that page', async () => {
  const db = asDatabaseOwner(await freshDatabase())
  await db.run`create table things (id uuid primary key default gen_random_uuid(), created_at timestamptz not null default now())`
  const addOne = () => db.run`insert into things default values`
  const readThenAdd: Queryable = {
    ...db,
    async many<T>(...statement: Parameters<Queryable['many']>) {
      const rows = await db.many<T>(...statement)
      await addOne()
      return rows
    },
  }
  const list = { columns: sql`t.id`, from: sql`things t`, scope: sql`true`, filters: [] }
  const query = { limit: 2, sort: '-createdAt' }
  const sizes = []
  for (let reading = 0; reading < 4; reading++) {
    const { items, total, nextCursor } = await listPage(readThenAdd, query, list)
    sizes.push([items.length, total, nextCursor !== null])
  }
  assert.deepEqual(sizes, [
    [0, 0, false],
    [1, 1, false],
    [2, 2, false],
    [2, 4, true],
  ])
})

test('a list in monthly partitions is paged in its order, however far apart its rows and how old their IDs', async () => {
  const db = asDatabaseOwner(await freshDatabase())
  await db.run`create table things (id uuid primary key, created_at timestamptz(3) not null)`
  const random = seededRandom(1)
  const now = Date.now()
  const made = Array.from({ length: 400 }, (_, n) => {
    const at = Math.floor(now - n * 2.5 * DAY_MS * random() * 2)
    // as old as the row to a day, or of a clock that was far ahead
    const ahead = random() < 0.1 ? 300 * random() : -random()
    return { id: leastIdAt(at + ahead * DAY_MS).slice(0, -12) + String(n).padStart(12, '0'), at }
  })
  await db.run`
    insert into things select id, at from jsonb_to_recordset(${JSON.stringify(
      made.map(({ id, at }) => ({ id, at: new Date(at) })),
    )}::jsonb) as n (id uuid, at timestamptz)`
  const list = { columns: sql`t.id`, from: sql`things t`, scope: sql`true`, filters: [], byMonth: true as const }
  const read: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const answer = await listPage<{ id: string }>(
      db,
      { limit: 20, sort: '-createdAt', cursor: cursor ?? undefined },
      list,
    )
    read.push(...answer.items.map(({ id }) => id))
    cursor = answer.nextCursor
  }
  const inOrder = made.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
  assert.deepEqual(read, inOrder)
})

test('a filter by days has the instants of those days, also where clocks change at midnight', async () => {
  const db = asDatabaseOwner(await freshDatabase())
  await db.run`create table things (id uuid primary key default gen_random_uuid(), created_at timestamptz not null)`
  for (const [timeZone, day, next] of [
    // midnight comes twice, never, after an hour that comes twice, after one that never comes, or once
    ['Atlantic/Azores', '2026-10-25', '2026-10-26'],
    ['America/Havana', '2026-11-01', '2026-11-02'],
    ['Africa/Cairo', '2026-04-24', '2026-04-25'],
    ['America/Santiago', '2026-04-05', '2026-04-06'],
    ['America/Nuuk', '2026-03-29', '2026-03-30'],
    ['UTC', '2026-04-05', '2026-04-06'],
  ] as const) {
    const start = Date.parse(`${day}T00:00:00Z`)
    const instants = Array.from({ length: 4 * 60 }, (_, n) => new Date(start + (n - 60) * 15 * 60_000 - (n % 2)))
    await db.run`delete from things`
    await db.run`insert into things (created_at) select unnest(${instants.map((at) => at.toISOString())}::timestamptz[])`
    for (const [from, to] of [
      [day, day],
      [day, next],
      [next, undefined],
      [undefined, day],
    ]) {
      const among = instants.filter((at) => {
        const its = dayIn(timeZone, at)
        return (!from || its >= from) && (!to || its <= to)
      })
      const { items } = await listPage<{ at: string }>(
        db,
        { limit: 500, sort: 'createdAt' },
        {
          columns: sql`t.created_at as at`,
          from: sql`things t`,
          scope: sql`true`,
          filters: dayFilter(sql`t.created_at`, timeZone, from, to),
        },
      )
      assert.deepEqual(
        items.map(({ at }) => at),
        among.map((at) => at.toISOString()).sort(),
        `${timeZone} ${from} ${to}`,
      )
    }
  }
})
