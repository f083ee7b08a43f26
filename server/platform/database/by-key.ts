import type { Queryable } from './pool.ts'
import { empty, Sql, sql } from './sql.ts'

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
export const rowsByKeySql = (
  table: Sql,
  accountIds: string[],
  ids: string[] | Sql,
  { only = sql`true`, lock = empty }: Wanted = {},
): Sql =>
  // 'offset 0' makes the planner treat the look-up separately
  sql`
    (select distinct key from unnest(${ids instanceof Sql ? sql`array(${ids})` : ids}::uuid[]) as given (key) order by key) wanted
    cross join lateral (
      select * from ${table} where ${inAccountsSql(sql`account_id`, accountIds)} and id = wanted.key and ${only} offset 0 ${lock}) t`

/** Whether the account in `column` is one of these; a single one is named, so that a cluster knows where to look. */
export function inAccountsSql(column: Sql, accountIds: string[]): Sql {
  const [accountId, ...others] = new Set(accountIds)
  return others.length === 0 ? sql`${column} = ${accountId}` : sql`${column} = any(${[accountId, ...others]}::uuid[])`
}

/** Finds the account of a row by its id alone, which queries every machine of a cluster. */
export const findAccountId = async (db: Queryable, table: Sql, id: string) =>
  (await db.maybe<{ accountId: string }>`select account_id from ${table} where id = ${id}`)?.accountId

/** The account of each row of a list, from its column `each`; a single one is named, like by `inAccountsSql`. */
export function eachAccount(accountIds: string[], each: Sql): Sql {
  const [accountId, ...others] = new Set(accountIds)
  return others.length === 0 ? sql`${accountId}::uuid` : each
}
