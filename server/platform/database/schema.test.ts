import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'

const file = new URL('./schema.txt', import.meta.url)

/**
 * The schema as the migrations leave it, to be read in one place and seen in every change's diff.
 * `UPDATE_SCHEMA=1 node --test server/platform/database/schema.test.ts` rewrites it.
 */
test('schema.txt matches the migrations', async () => {
  const db = await freshDatabase()
  const columns = await db.many<{ table: string; line: string }>`
    select c.relname as table, a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attnotnull then ' not null' else '' end
      || case when a.attidentity <> '' then ' identity' else '' end
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname, a.attnum`
  const rules = await db.many<{ table: string; line: string }>`
    select * from (
      select conrelid::regclass::text as table, pg_get_constraintdef(oid) as line from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'p', 'u')
      union all
      select tablename, replace(indexdef, 'public.', '') from pg_indexes
      where schemaname = 'public' and indexname not in (select conname from pg_constraint)
      union all
      select stxrelid::regclass::text, replace(pg_get_statisticsobjdef(oid), 'public.', '') from pg_statistic_ext
      where stxnamespace = 'public'::regnamespace
      union all
      select oid::regclass::text, 'PARTITION BY ' || pg_get_partkeydef(oid) from pg_class where relkind = 'p'
      union all
      select tgrelid::regclass::text, pg_get_triggerdef(oid) from pg_trigger
      where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    ) rules where "table" not in (select c.relname from pg_class c where c.relispartition) order by 1, 2`
  const lines = Map.groupBy(rules, (row) => row.table)
  const tables = [...Map.groupBy(columns, (row) => row.table)].map(([table, rows]) =>
    [table, ...rows.map(({ line }) => `  ${line}`), ...(lines.get(table) ?? []).map(({ line }) => `  ${line}`)].join(
      '\n',
    ),
  )
  const schema = `${tables.join('\n\n')}\n`
  if (process.env.UPDATE_SCHEMA) await writeFile(file, schema)
  assert.equal(await readFile(file, 'utf8').catch(() => ''), schema)
})
