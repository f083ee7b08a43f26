import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import type { Queryable } from '../database/pool.ts'
import { sql } from '../database/sql.ts'
import { page } from './list.ts'

test('a row that comes while a page is read is not counted beside a page that lacks it', async () => {
  const db = ownerOf(await freshDatabase())
  await db.run`create table things (id uuid primary key default uuidv7(), created_at timestamptz not null default now())`
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
    const { items, total, nextCursor } = await page(readThenAdd, query, list)
    sizes.push([items.length, total, nextCursor !== null])
  }
  assert.deepEqual(sizes, [
    [0, 0, false],
    [1, 1, false],
    [2, 2, false],
    [2, 4, true],
  ])
})
