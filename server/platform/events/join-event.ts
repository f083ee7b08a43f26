import { type Sql, sql } from '../database/sql.ts'

/**
 * Joins the event `e` of an account with an id, for `left join lateral … on true`. The limit keeps it a look-up per
 * row: a join would read all events that are older than the monthly tables.
 */
export const joinEvent = (id: Sql, accountId: string) =>
  sql`(select * from told_events where id = ${id} and account_id = ${accountId} limit 1) e`
