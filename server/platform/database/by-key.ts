import { empty, OneText, Sql, sql } from './sql.ts'

type Wanted = {
  /** A further condition on each row, using its table. */
  only?: Sql
  /** Such as `for update`: locks rows in the order of the ids. */
  lock?: Sql
}

/**
 * Finds the rows `t` of a table with these ids in these accounts, each by its key. With `id = any(…)` PostgreSQL would
 * scan all rows of an account that it estimates to be small: one that has just grown, or any in a cached plan.
 */
export const byKey = (
  table: Sql,
  accountIds: string[],
  ids: string[] | Sql,
  { only = sql`true`, lock = empty }: Wanted = {},
): Sql =>
  // 'offset 0' makes the planner treat the look-up separately
  new OneText(sql`
    (select distinct key from unnest(${ids instanceof Sql ? sql`array(${ids})` : ids}::uuid[]) as given (key) order by key) wanted
    cross join lateral (
      select * from ${table} where ${among(accountIds)} and id = wanted.key and ${only} offset 0 ${lock}) t`)

const among = ([accountId, ...others]: string[]) =>
  others.length === 0 ? sql`account_id = ${accountId}` : sql`account_id = any(${[accountId, ...others]}::uuid[])`
