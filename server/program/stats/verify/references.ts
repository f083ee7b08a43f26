import type { Queryable } from '../../../platform/database/pool.ts'
import { joinSql, rawSql, sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

/** Tables with rows that money depends on. */
const TABLES = [
  'leads',
  'sales',
  'refunds',
  'commission_entries',
  'payouts',
  'payout_entries',
  'payout_cash',
  'invoices',
  'payout_attempts',
  'payout_settings',
  'sale_corrections',
]

type Reference = { table: string; columns: string[]; target: string; targetColumns: string[] }

const referencesOf = (db: Queryable) => db.many<Reference>`
  select c.conrelid::regclass::text as table, c.confrelid::regclass::text as target,
    (select array_agg(a.attname::text order by k.place) from unnest(c.conkey) with ordinality k (number, place)
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number) as columns,
    (select array_agg(a.attname::text order by k.place) from unnest(c.confkey) with ordinality k (number, place)
      join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number) as target_columns
  from pg_constraint c
  where c.contype = 'f' and c.conrelid = any(${TABLES}::text[]::regclass[])
  order by 1, 3`

/** Finds relays without their event: events are stored by month, which no foreign key can reference. */
async function relaysOfNothing(db: Queryable) {
  const relays = await db.many<{ id: string }>`select event_id as id from event_relays`
  const ids = relays.map(({ id }) => id)
  const events = await db.many<{ id: string }>`select id from told_events where id = any(${ids}::uuid[])`
  const known = new Set(events.map(({ id }) => id))
  return sql`
    select 'event_relays' as subject, id || ' in told_events' as expected, 'nothing' as actual
    from unnest(${ids.filter((id) => !known.has(id))}::text[]) as id`
}

/** Checks references that the database enforces itself, unless its constraints were disabled. */
export async function referenceChecks(db: Queryable): Promise<Checks> {
  const found = (await referencesOf(db)).map(({ table, columns, target, targetColumns }) => {
    const pairs = columns.map((column, index) => rawSql(`t.${column} = o.${targetColumns[index]}`))
    const given = columns.map((column) => rawSql(`t.${column} is not null`))
    const values = columns.map((column) => rawSql(`t.${column}`))
    return sql`
      select ${table}::text as subject, concat_ws(' ', ${joinSql(values, ', ')}) || ${` in ${target}`}::text as expected,
        'nothing' as actual
      from ${rawSql(table)} t
      where ${joinSql(given, ' and ')} and not exists (select from ${rawSql(target)} o where ${joinSql(pairs, ' and ')})`
  })
  return { [LEADS_SOMEWHERE]: joinSql([...found, await relaysOfNothing(db)], ' union all ') }
}

export const LEADS_SOMEWHERE = 'every reference leads somewhere'
