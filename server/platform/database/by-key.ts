import { empty, OneText, Sql, sql } from './sql.ts'

type Wanted = {
  /** A further condition of each row, in terms of its table. */
  only?: Sql
  /** Such as `for update`: rows are locked in the order of the ids. */
  lock?: Sql
}

/**
 * The rows `t` of a table that have these ids in these accounts, each looked up by its key. With `id = any(…)` PostgreSQL
 * would look through all rows of an account that it takes for a small one: one that has just grown, or any in a plan that
 * is kept.
 */
export const byKey = (
  table: Sql,
  accountIds: string[],
  ids: string[] | Sql,
  { only = sql`true`, lock = empty }: Wanted = {},
): Sql =>
  // with 'offset 0', a look-up is planned by itself
  new OneText(sql`
    (select distinct key from unnest(${ids instanceof Sql ? sql`array(${ids})` : ids}::uuid[]) as given (key) order by key) wanted
    cross join lateral (
      select * from ${table} where ${among(accountIds)} and id = wanted.key and ${only} offset 0 ${lock}) t`)

const among = ([accountId, ...others]: string[]) =>
  others.length === 0 ? sql`account_id = ${accountId}` : sql`account_id = any(${[accountId, ...others]}::uuid[])`
