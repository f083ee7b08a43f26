import { type Sql, sql } from '../database/sql.ts'

/**
 * Joins the event `e` with an id, for `left join lateral … on true`; with a known account only its node is queried. The
 * limit keeps it a look-up per row: a join would read everything from before there were months.
 */
export const toldEvent = (id: Sql, accountId?: Sql) =>
  sql`(select * from told_events where id = ${id} ${accountId ? sql`and account_id = ${accountId}` : sql``} limit 1) e`
