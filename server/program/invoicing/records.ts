import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** Calendar years after an invoice's in which it names its seller at least: Germany asks for eight, France for ten. */
const LEAST_YEARS = 10

/**
 * The last day on which a partner’s invoices name them, in SQL, in an account that keeps payees’ names for `years`; null
 * if there are none.
 */
export const invoicesEnd = (accountId: string, partnerId: Sql, years: Sql): Sql => sql`(
  select make_date(extract(year from max(i.issued_on))::int + greatest(${years}, ${LEAST_YEARS}::integer), 12, 31)
  from invoices i
  where i.account_id = ${accountId} and i.partner_id = ${partnerId} and i.snapshot ->> 'partner' is not null)`

/** Takes an erased partner from their invoices; amounts, numbers and the account stay. */
export const emptyInvoices = (tx: Transaction, accountId: string, partnerId: string) => tx.run`
  update invoices set snapshot = snapshot || '{"partner": null}'
  where account_id = ${accountId} and partner_id = ${partnerId} and snapshot ->> 'partner' is not null`
