import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { columnFacts } from './columns.ts'

const db = await freshDatabase()

test('each column of each table says whether it is personal', async () => {
  const present = await db.many<{ column: string }>`
    select c.table_name || '.' || c.column_name as column from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
      and not (select relispartition from pg_class where oid = format('%I.%I', c.table_schema, c.table_name)::regclass)`
  const declaredColumns = Object.entries(columnFacts).flatMap(([table, { personal, rest }]) =>
    [...new Set(personal.flatMap(({ columns }) => columns)), ...rest].map((column) => `${table}.${column}`),
  )
  assert.deepEqual(
    declaredColumns.sort(),
    present.map(({ column }) => column).sort(),
    'say in columns.ts whether it is personal, and what stands there afterwards',
  )
})
