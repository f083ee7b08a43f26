import { type Sql, sql } from '../../platform/database/sql.ts'

// The rows behind `plan.ts`: columns and conditions of tables that the sales own. `account`: the account named, so that
// a cluster queries one machine, or the sale's own column.

/** The facts of sale `t` that decide what it earns, with its terms unless the credit has them. */
export const plannedColumns = (
  account: Sql,
) => sql`t.account_id, t.amount, t.gross_amount, t.account_amount, t.sale_date, t.lines, t.country,
  t.partner_code, t.metadata, t.customer_place, t.customer_since, t.referred_at, t.credit,
  case when not t.credit ? 'ratesPpm' then (
    select l.terms from terms_log l where l.account_id = ${account} and l.number = (t.credit ->> 'number')::integer) end as terms`

/** Whether a sale has a place among its customer's: it is credited to a partner, not void, above zero, and not refused. */
export const hasPlace = (sale: Sql) =>
  sql`(${sale}.credit is not null and ${sale}.credited and ${sale}.status <> 'void' and ${sale}.account_amount > 0)`

/** The order of a customer's sales, to be compared; without an external id last of their day. */
export const placeOrder = (sale: Sql) =>
  sql`(${sale}.sale_date, ${sale}.external_id is null, coalesce(${sale}.external_id, '') collate "C", ${sale}.id)`

/** The refunds and lost disputes that count, as a JSON list of their amounts and lines; null without any. */
export const countedRefunds = (account: Sql, sale: Sql) => sql`(
  select jsonb_agg(jsonb_build_object('amount', r.amount, 'lines', r.lines)) from refunds r
  where r.account_id = ${account} and r.sale_id = ${sale}.id
    and (r.status = 'succeeded' or (r.kind = 'refund' and r.status = 'pending')))`
