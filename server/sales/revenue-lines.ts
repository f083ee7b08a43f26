import type { RevenueKind, RevenueLine, RevenueTotals } from '#contract/sales.ts'
import type { Queryable } from '../database/pool.ts'
import { join, type Sql, sql } from '../database/sql.ts'
import type { Access } from '../http/access.ts'
import { byId, byValue, page } from '../http/list.ts'
import { leadNames } from '../leads/lead-facts.ts'
import { partnerNames } from '../partners/names.ts'
import { onHold, saleSearch } from './sale-filters.ts'

type Query = {
  limit: number
  cursor?: string | undefined
  search?: string | undefined
  sort: string
  kind?: string[] | undefined
  status?: string[] | undefined
  provider?: string[] | undefined
  partnerId?: string[] | undefined
  blueprintId?: string[] | undefined
  leadId?: string[] | undefined
  onHold?: boolean | undefined
  from?: string | undefined
  to?: string | undefined
}

type Line = Omit<RevenueLine, 'leadName' | 'partnerName' | 'profit'>

/**
 * What `figuresOf` counts of the sales of an account, a line a day: the sale itself, and each refund or dispute where it
 * took something and where it gave something back. Of a void sale one line is left, which counts for nothing.
 */
const lines = (accountId: string): Sql => {
  const ofSale = sql`s.account_id, s.id as sale_id, s.lead_id, s.partner_id, s.blueprint_id, s.provider, s.status,
    s.external_id, s.description, s.payer_email, s.disputed, s.hold_rule, s.held_until`
  const counted = sql`s.account_id = ${accountId} and s.lead_id is not null and s.status <> 'void'`
  return sql`(
    select s.id, case s.status when 'void' then 'void' else 'sale' end as kind, s.sale_date as day,
      case s.status when 'void' then 0 else coalesce(s.account_amount, 0) end as amount,
      null::uuid as refund_id, 'earned' as entry_kind, ${ofSale}
    from sales s where s.account_id = ${accountId} and s.lead_id is not null
    union all
    select r.id, r.kind, r.counted_on, -r.account_amount, r.id, 'reversal', ${ofSale}
    from refunds r join sales s on s.id = r.sale_id
    where r.account_id = ${accountId} and r.counted_on is not null and ${counted}
    union all
    select md5(r.id || ' restored')::uuid, 'restoration', r.restored_on, r.restored_amount, r.id, 'restoration', ${ofSale}
    from refunds r join sales s on s.id = r.sale_id
    where r.account_id = ${accountId} and r.restored_on is not null and ${counted})`
}

/** The ledger entries that stand in the line `t`. */
const itsEntries = sql`e.sale_id = t.sale_id and e.kind = t.entry_kind and e.refund_id is not distinct from t.refund_id
  and t.kind <> 'void'`

const columns = (now: Date) => sql`t.id, t.kind, t.day, t.sale_id, t.lead_id, t.partner_id, t.blueprint_id, t.provider,
  t.status, ${onHold(now)} as on_hold, t.amount,
  coalesce((select sum(e.amount) from commission_entries e where ${itsEntries}), 0)::bigint as share`

/** One page of what the statistics count, and the totals of all pages; newest day first unless sorted. */
export async function listRevenueLines(db: Queryable, access: Access, query: Query) {
  const { account } = access
  const from = sql`${lines(account.id)} t`
  const conditions = [
    byValue(sql`t.kind`, query.kind),
    byValue(sql`t.status`, query.status),
    byValue(sql`t.provider`, query.provider),
    byId(sql`t.partner_id`, query.partnerId),
    byId(sql`t.blueprint_id`, query.blueprintId),
    byId(sql`t.lead_id`, query.leadId),
    query.onHold ? onHold(db.now) : undefined,
    query.from ? sql`t.day >= ${query.from}` : undefined,
    query.to ? sql`t.day <= ${query.to}` : undefined,
    saleSearch(account.id, query.search),
  ].filter((condition) => condition !== undefined)
  const scope = join([sql`true`, ...conditions], ' and ')
  const totals = await totalsOf(db, from, scope)
  const byDay = { by: sql`t.day`, type: 'date' } as const
  const found = await page<Line>(db, query, {
    columns: columns(db.now),
    from,
    scope,
    filters: [],
    sorts: { createdAt: byDay, day: byDay },
    total: async () => totals.count,
  })
  return { ...found, items: await present(db, access, found.items), totals }
}

async function totalsOf(db: Queryable, from: Sql, scope: Sql): Promise<RevenueTotals> {
  const { count, sales, revenue, share } = await db.one<Omit<RevenueTotals, 'profit'>>`
    select count(*) as count, count(*) filter (where t.kind = ${'sale' satisfies RevenueKind}) as sales,
      coalesce(sum(t.amount), 0)::bigint as revenue,
      (select coalesce(sum(e.amount), 0) from ${from} join commission_entries e on ${itsEntries} where ${scope})::bigint as share
    from ${from} where ${scope}`
  return { count, sales, revenue, share, profit: revenue - share }
}

async function present(db: Queryable, access: Access, rows: Line[]): Promise<RevenueLine[]> {
  const leads = await leadNames(
    db,
    access,
    rows.map((row) => row.leadId),
  )
  const partners = await partnerNames(
    db,
    rows.map((row) => row.partnerId),
  )
  return rows.map((row) => ({
    ...row,
    leadName: leads.get(row.leadId) ?? '',
    partnerName: (row.partnerId && partners.get(row.partnerId)) || null,
    profit: row.amount - row.share,
  }))
}
