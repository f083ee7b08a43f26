import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { byId, byValue } from '../../platform/http/list.ts'
import type { Access } from '../access/access.ts'
import { salesPage } from './present-sales.ts'
import { onHold } from './sale-filters.ts'

type Query = ListQuery & {
  status?: string[] | undefined
  provider?: string[] | undefined
  partnerId?: string[] | undefined
  leadId?: string[] | undefined
  unattributed?: boolean | undefined
  onHold?: boolean | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The account's sales; `from` and `to` are sale dates. */
export const listSales = (db: Queryable, access: Access, query: Query) =>
  salesPage(db, access, query, {
    scope: sql`t.account_id = ${access.account.id}`,
    filters: [
      byValue(sql`t.status`, query.status),
      byValue(sql`t.provider`, query.provider),
      byId(sql`t.partner_id`, query.partnerId),
      byId(sql`t.lead_id`, query.leadId),
      query.unattributed === undefined ? undefined : sql`(t.partner_id is null) = ${query.unattributed}`,
      query.onHold ? onHold(db.now) : undefined,
      query.from ? sql`t.sale_date >= ${query.from}` : undefined,
      query.to ? sql`t.sale_date <= ${query.to}` : undefined,
    ],
  })
