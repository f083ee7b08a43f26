import { type Sql, sql } from '../database/sql.ts'

/**
 * The event `e` of an id, as it was told, for `left join lateral … on true`; where the account is known its machine is
 * asked alone. By its limit it stays a look-up of each: a join would read all that is from before there were months.
 */
export const toldEvent = (id: Sql, accountId?: Sql) =>
  sql`(select * from told_events where id = ${id} ${accountId ? sql`and account_id = ${accountId}` : sql``} limit 1) e`
