import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../test/support/postgres.ts'
import { findPlacement } from './platform/database/cluster/spread.ts'
import { declareTables, listColumns, listTables } from './platform/database/declare-tables.ts'

const db = await freshDatabase()

test('each table of the schema is declared by a feature, with each of its columns', async () => {
  const present = await db.many<{ column: string }>`
    select c.table_name || '.' || c.column_name as column from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
      and not (select relispartition from pg_class where oid = format('%I.%I', c.table_schema, c.table_name)::regclass)`
  const declared = [...listTables().keys()].flatMap((table) => listColumns(table).map((column) => `${table}.${column}`))
  assert.deepEqual(
    declared.sort(),
    present.map(({ column }) => column).sort(),
    'declare it in the feature’s tables.ts: whether it is personal, and whether it leaves with an account',
  )
})

// Spreading itself is tested on a cluster, which few machines have; this reports a new table that it could not place.
test('each table has a place on a cluster, and its unique keys contain its account if that is where it lies', async () => {
  const tables = await db.many<{ name: string; hasAccount: boolean; loose: string[] }>`
    select c.relname::text as name, a.attnum is not null as has_account, array(
      select i.indexrelid::regclass::text from pg_index i
      where i.indrelid = c.oid and i.indisunique and a.attnum <> all(i.indkey::int2[])) as loose
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
  for (const { name, hasAccount, loose } of tables) {
    const place = findPlacement(name, hasAccount)
    assert.ok(place, `say in tables.ts where the rows of ${name} lie`)
    if (place === 'with its account') assert.deepEqual(loose, [], `${name} is unique without account_id`)
  }
})

test('a table that two features declare is refused', () => {
  assert.throws(
    () => declareTables({ leads: { columns: 'id', exported: true } }),
    /two features declare the table leads/,
  )
})
