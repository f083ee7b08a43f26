import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** The last calendar year of a partner’s invoices that still name them, in SQL; null if there are none. */
export const lastInvoiceYear = (accountId: string, partnerId: Sql): Sql => sql`(
  select extract(year from max(i.issued_on))::int from invoices i
  where i.account_id = ${accountId} and i.partner_id = ${partnerId} and i.snapshot ->> 'partner' is not null)`

/** Takes an erased partner from their invoices; amounts, numbers and the account stay. */
export const emptyInvoices = (tx: Transaction, accountId: string, partnerId: string) => tx.run`
  update invoices set snapshot = snapshot || '{"partner": null}'
  where account_id = ${accountId} and partner_id = ${partnerId} and snapshot ->> 'partner' is not null`
