import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'
import '../../app.ts'
import { columnName, tables } from './table.ts'

/** Columns with nulls in code or in the schema alone: one is computed by the insert, one is always written. */
const nullsDiffer = new Set(['commission_entries.available_at', 'provider_connections.webhook_url'])

test('the columns read and written by the rooms are those of the schema', async () => {
  const db = await freshDatabase()
  const there = await db.many<{ column: string; type: string }>`
    select c.relname || '.' || a.attname as column,
      format_type(a.atttypid, null) || case when a.attnotnull then '' else ' or null' end as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`
  const types = Object.fromEntries(there.map(({ column, type }) => [column, type]))
  const long: Record<string, string> = { timestamptz: 'timestamp with time zone' }
  assert.ok(tables.length > 0)
  for (const { name, columns } of tables)
    for (const [field, column] of Object.entries(columns)) {
      const { type, isNullable } = column
      const place = `${name}.${columnName(field, column)}`
      const mayBeNull = nullsDiffer.has(place) ? !isNullable : isNullable
      assert.equal(`${long[type] ?? type}${mayBeNull ? ' or null' : ''}`, types[place], place)
    }
})
