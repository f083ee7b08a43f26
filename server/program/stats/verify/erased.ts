import { listColumns, listEmptied, listTables, type PersonKind } from '../../../platform/database/declare-tables.ts'
import { isFullSql } from '../../../platform/database/erased-rows.ts'
import { joinSql, rawSql, type Sql, sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

/** Returns the tables with rows that belong to an erased person by an id; copies without one are the erasure's own check. */
export const listOfErased = (person: PersonKind): [table: string, which: Sql][] =>
  [...listTables()].flatMap(([table, { ofErased }]) => (ofErased?.[person] ? [[table, ofErased[person]]] : []))

/** The column that names a row. */
const nameColumn = (table: string) => {
  const columns = listColumns(table)
  return ['id', 'partner_id', 'subject_id'].find((column) => columns.includes(column))
}

/** Events of an erased person: about them, or with an object that names them by an id. */
const eventsOf = (table: string, person: PersonKind, named: string[]) => sql`(
  select distinct t.id, t.account_id, t.data
  from ${rawSql(table)} t cross join lateral unnest(array[${rawSql(['t.subject_id::text', ...named].join(', '))}]) as of (id)
    join erased_objects x on x.account_id = t.account_id and x.id::text = of.id
  where x.person = ${rawSql(`'${person}'`)}
  -- before the data of other events is read
  offset 0)`

/** A row of a table that still contains data of an erased person. */
function left(
  person: PersonKind,
  table: string,
  { rows = rawSql(table), which = sql`true` }: { rows?: Sql; which?: Sql },
) {
  const names = listEmptied(table, person).map(
    ([column, becomes]) => `case when t.${column} is distinct from ${becomes} then '${column}' end`,
  )
  return sql`
    select ${rawSql(`'${table} ' || t.${nameColumn(table)}`)} as subject, 'nothing of an erased person' as expected,
      ${rawSql(`concat_ws(' ', ${names.join(', ')})`)} as actual
    from ${rows} t
    where ${which} and ${isFullSql(table, person)}
      and t.account_id not in (select account_id from erasing)`
}

export const buildErasedChecks = (): Checks => ({
  'every personal column of an erased person is empty': sql`
    with erasing as materialized (select account_id from erasures where not done)
    ${joinSql(
      [
        ...(['lead', 'partner'] as const).flatMap((person) =>
          listOfErased(person).map(([table, which]) => left(person, table, { which })),
        ),
        left('lead', 'events', { rows: eventsOf('events', 'lead', []) }),
        left('partner', 'events', { rows: eventsOf('events', 'partner', []) }),
        left('lead', 'passing_events', {
          rows: eventsOf('passing_events', 'lead', ["t.data #>> '{object,leadId}'", "t.data #>> '{object,saleId}'"]),
        }),
        left('partner', 'passing_events', { rows: eventsOf('passing_events', 'partner', []) }),
      ],
      ' union all ',
    )}`,
})
