import { rawSql, type Sql, sql } from '../../../platform/database/sql.ts'

/**
 * Checks by name, each a query that returns a row (`subject`, `expected`, `actual`: text) for every value that
 * contradicts its source rows, and none if all is well.
 */
export type Checks = Record<string, Sql>

/** x × n / d rounded half up, in exact numerics. */
export const shareSql = (x: Sql, n: Sql, d: Sql) => sql`floor((2 * ${x}::numeric * ${n} + ${d}) / (2 * ${d}::numeric))`

/** Returns rows of two tables that differ in a figure, named by `names`; a missing row counts as zeros. */
export function compareTables(expected: Sql, actual: Sql, keys: string[], figures: string[], names = keys): Sql {
  const text = (table: string) =>
    figures.map((name) => `'${name} ' || coalesce(${table}.${name}, 0)`).join(` || ', ' || `)
  const differ = figures.map((name) => `coalesce(expected.${name}, 0) <> coalesce(actual.${name}, 0)`).join(' or ')
  const subject = names.map((key) => `coalesce(expected.${key}, actual.${key})`).join(` || ' ' || `)
  const on = keys.map((key) => `expected.${key} = actual.${key}`).join(' and ')
  return sql`
    select ${rawSql(subject)} as subject, ${rawSql(text('expected'))} as expected, ${rawSql(text('actual'))} as actual
    from ${expected} expected full join ${actual} actual on ${rawSql(on)}
    where ${rawSql(differ)}`
}

/** State changes of payouts according to the activity; an import is a change to paid, `gathering` appears as due. */
export const payoutMoves = sql`(
  select e.id, e.account_id, e.subject_id as payout_id, e.at,
    concat_ws(':', e.actor_type, e.actor_id) as actor,
    case when e.type = 'payout.imported' then 'gathering'
      else replace(e.data -> 'changes' -> 'status' ->> 'old', 'due', 'gathering') end as from_status,
    case when e.type = 'payout.imported' then 'paid'
      else replace(e.data -> 'changes' -> 'status' ->> 'new', 'due', 'gathering') end as to_status
  from events e
  where e.audited and e.subject_type = 'payout' and (e.type = 'payout.imported' or e.data -> 'changes' ? 'status'))`
