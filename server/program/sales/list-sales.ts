import type { ListQuery } from '#contract/values.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { idFilter, valueFilter } from '../../platform/http/list.ts'
import type { Access } from '../access/access.ts'
import { leadsOfPayers } from './leads-like-payer.ts'
import { salesPage } from './present-sales.ts'
import { type AmountRange, amountFilters, isSaleOnHold } from './sale-filters.ts'

type Query = ListQuery & {
  status?: string[] | undefined
  provider?: string[] | undefined
  partnerId?: string[] | undefined
  leadId?: string[] | undefined
  unattributed?: boolean | undefined
  test?: boolean | undefined
  onHold?: boolean | undefined
  from?: string | undefined
  to?: string | undefined
} & AmountRange

/** Lists the account's sales with, if only those without a partner are asked for, the likeliest lead of each payer. */
export async function listSalesWithLikelyLeads(db: Queryable, access: Access, query: Query) {
  const { items, ...rest } = await listSales(db, access, query)
  if (!query.unattributed) return { ...rest, items }
  const uncredited = items.filter(({ status }) => status !== 'void').map(({ id }) => id)
  const likely = await leadsOfPayers(db, access.account, uncredited)
  // a lead referred later earns nothing by itself: crediting it is a person's own decision
  const likeliest = (id: string) => likely.get(id)?.find(({ referredLater }) => !referredLater) ?? null
  return { ...rest, items: items.map((sale) => ({ ...sale, likelyLead: likeliest(sale.id) })) }
}

/** Lists the account's sales; `from` and `to` are sale dates. */
export const listSales = (db: Queryable, access: Access, query: Query) =>
  salesPage(db, access, query, {
    scope: sql`t.account_id = ${access.account.id}`,
    filters: [
      valueFilter(sql`t.status`, query.status),
      valueFilter(sql`t.provider`, query.provider),
      idFilter(sql`t.partner_id`, query.partnerId),
      query.leadId &&
        sql`(${idFilter(sql`t.lead_id`, query.leadId)} or ${idFilter(sql`t.test_lead_id`, query.leadId)})`,
      either(query.test, sql`t.is_test`, sql`not t.is_test`),
      either(
        query.unattributed,
        sql`t.partner_id is null and not t.is_test`,
        sql`(t.partner_id is not null or t.is_test)`,
      ),
      query.onHold ? isSaleOnHold(db.now) : undefined,
      ...amountFilters(sql`t.account_amount`, query),
      query.from ? sql`t.sale_date >= ${query.from}` : undefined,
      query.to ? sql`t.sale_date <= ${query.to}` : undefined,
    ],
    total: () => numberOfSales(db, access.account.id),
  })

const either = (flag: boolean | undefined, yes: Sql, no: Sql) => (flag === undefined ? undefined : flag ? yes : no)

/** Counts all sales: valid ones by the roll-up, the others by an index. */
async function numberOfSales(db: Queryable, accountId: string) {
  const { total } = await db.one<{ total: number }>`
    select coalesce((select sales from total_stats
        where account_id = ${accountId} and partner_id = ${NIL} and blueprint_id = ${NIL}), 0)
      + (select count(*) from sales where account_id = ${accountId} and (lead_id is null or status = 'void')) as total`
  return total
}
