import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../../../test/support/postgres.ts'
import { everywhere, inOnePlace } from './placement.ts'
import { findPlacement } from './spread.ts'

// Spreading itself is tested on a cluster, which few machines have; this reports a new table that it could not place.

test('every table has a place, and its unique keys contain its account if that is where it lies', async () => {
  const db = await freshDatabase()
  const tables = await db.many<{ name: string; hasAccount: boolean; loose: string[] }>`
    select c.relname::text as name, a.attnum is not null as has_account, array(
      select i.indexrelid::regclass::text from pg_index i
      where i.indrelid = c.oid and i.indisunique and a.attnum <> all(i.indkey::int2[])) as loose
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
  const names = tables.map(({ name }) => name)
  const listed = [...Object.keys(everywhere), ...Object.keys(inOnePlace)]
  assert.deepEqual(
    listed.filter((name, at) => !names.includes(name) || listed.indexOf(name) !== at),
    [],
  )
  for (const { name, hasAccount, loose } of tables) {
    const place = findPlacement(name, hasAccount)
    assert.ok(place, `assign ${name} a place in placement.ts`)
    if (place === 'with its account') assert.deepEqual(loose, [], `${name} is unique without account_id`)
  }
})
