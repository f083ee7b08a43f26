import type { LeadStats, Stats } from '#contract/stats.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Access } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'

/** A reader of figures: hidden ones are null, or reduced to their own part. */
export type FiguresReader = Pick<Access, 'as' | 'partnerId'>

type Account = Pick<AccountFacts, 'id' | 'defaultCurrency' | 'partnerVisibility'>
type Totals = { partners: number; leads: number; sales: number; clicks: number; revenue: number; share: number }
type LeadTotals = Pick<Totals, 'sales' | 'revenue' | 'share'>

const none: Totals = { partners: 0, leads: 0, sales: 0, clicks: 0, revenue: 0, share: 0 }

/** Fills a left-joined row with zeros for figures not counted yet. */
const filled = (row: { [F in keyof Totals]: number | null }): Totals => ({
  partners: row.partners ?? 0,
  leads: row.leads ?? 0,
  sales: row.sales ?? 0,
  clicks: row.clicks ?? 0,
  revenue: row.revenue ?? 0,
  share: row.share ?? 0,
})

const statsFrom = ({ partners, leads, sales, clicks, revenue, share }: Totals, currency: string): Stats => ({
  numberOfPartners: partners,
  numberOfLeads: leads,
  numberOfSales: sales,
  salesRevenue: revenue,
  salesRevenueShare: share,
  salesProfit: revenue - share,
  numberOfClicks: clicks,
  currency,
})

/** Returns figures of all time, by account; zeros for an account without any. */
export async function getAccountStats(db: Queryable, accountIds: string[]): Promise<Map<string, Stats>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db.many<{ id: string; currency: string } & { [F in keyof Totals]: number | null }>`
    select a.id, a.default_currency as currency, s.partners, s.leads, s.sales, s.clicks, s.revenue, s.share
    from accounts a
      left join total_stats s on s.account_id = a.id and s.account_id = any(${accountIds}::uuid[]) and s.partner_id = ${NIL}
        and s.blueprint_id = ${NIL}
    where a.id = any(${accountIds}::uuid[])`
  return new Map(rows.map(({ id, currency, ...row }) => [id, statsFrom(filled(row), currency)] as const))
}

/**
 * Returns figures of all time, by partner, as the reader may see them: profit for owners; revenue for the partner if
 * the account shows sale amounts; for a descendant the share is the reader's earnings on that partner's sales.
 */
export async function getPartnerStats(
  db: Queryable,
  account: Account,
  partnerIds: string[],
  reader: FiguresReader,
): Promise<Map<string, Stats>> {
  if (partnerIds.length === 0) return new Map()
  const rows = await db.many<{ partnerId: string } & Totals>`
    select partner_id, partners, leads, sales, clicks, revenue, share from total_stats
    where account_id = ${account.id} and blueprint_id = ${NIL} and partner_id = any(${partnerIds}::uuid[])`
  const totals = new Map(rows.map((row) => [row.partnerId, row]))
  const ofOthers = reader.partnerId ? partnerIds.filter((id) => id !== reader.partnerId) : []
  const own = await shareEarnedAt(db, account.id, ofOthers, reader.partnerId)
  const statsOf = (id: string): Stats => {
    const stats = statsFrom(totals.get(id) ?? none, account.defaultCurrency)
    if (!reader.partnerId) return stats
    if (id !== reader.partnerId)
      return { ...stats, salesRevenue: null, salesRevenueShare: own.get(id) ?? 0, salesProfit: null }
    return {
      ...stats,
      salesRevenue: account.partnerVisibility.saleAmounts ? stats.salesRevenue : null,
      salesProfit: null,
    }
  }
  return new Map(partnerIds.map((id) => [id, statsOf(id)]))
}

/** Returns the earnings of `earner` on the sales and leads that each of the partners referred. */
async function shareEarnedAt(db: Queryable, accountId: string, partnerIds: string[], earner: string | null) {
  if (partnerIds.length === 0) return new Map<string, number>()
  const rows = await db.many<{ partnerId: string; share: number }>`
    select partner_id, sum(amount)::bigint as share from (
      select s.partner_id, e.amount
      from commission_entries e join sales s on s.account_id = e.account_id and s.id = e.sale_id
      where e.partner_id = ${earner} and e.account_id = ${accountId} and s.partner_id = any(${partnerIds}::uuid[])
        and e.kind in ('earned', 'reversal', 'restoration')
      union all
      select (l.credit -> e.paid_for -> 'line' -> 0 ->> 'partnerId')::uuid, e.amount
      from commission_entries e join leads l on l.account_id = e.account_id and l.id = e.lead_id
      where e.partner_id = ${earner} and e.account_id = ${accountId} and e.sale_id is null) t
    where partner_id = any(${partnerIds}::uuid[])
    group by partner_id`
  return new Map(rows.map((row) => [row.partnerId, row.share]))
}

/** Returns figures of all time, by lead. With `forPartnerId` as that partner sees them: their own share, no profit. */
export async function getLeadStats(
  db: Queryable,
  account: Account,
  leadIds: string[],
  forPartnerId: string | null,
): Promise<Map<string, LeadStats>> {
  if (leadIds.length === 0) return new Map()
  const rows = await db.many<{ leadId: string } & LeadTotals>`
    select lead_id, sales, revenue, share from lead_stats where account_id = ${account.id} and lead_id = any(${leadIds}::uuid[])`
  const totals = new Map(rows.map((row) => [row.leadId, row]))
  const withSales = rows.map((row) => row.leadId)
  const own = forPartnerId ? await shareEarnedFrom(db, account.id, withSales, forPartnerId) : new Map<string, number>()
  const currency = account.defaultCurrency
  const showsRevenue = account.partnerVisibility.saleAmounts
  const statsOf = (id: string): LeadStats => {
    const { sales, revenue, share } = totals.get(id) ?? none
    if (forPartnerId) {
      const salesRevenue = showsRevenue ? revenue : null
      return { numberOfSales: sales, salesRevenue, salesRevenueShare: own.get(id) ?? 0, salesProfit: null, currency }
    }
    const salesProfit = revenue - share
    return { numberOfSales: sales, salesRevenue: revenue, salesRevenueShare: share, salesProfit, currency }
  }
  return new Map(leadIds.map((id) => [id, statsOf(id)]))
}

async function shareEarnedFrom(db: Queryable, accountId: string, leadIds: string[], earner: string) {
  if (leadIds.length === 0) return new Map<string, number>()
  const rows = await db.many<{ leadId: string; share: number }>`
    select lead_id, sum(amount)::bigint as share from (
      select s.lead_id, e.amount
      from sales s join commission_entries e on e.account_id = s.account_id and e.sale_id = s.id
      where s.lead_id = any(${leadIds}::uuid[]) and e.account_id = ${accountId} and e.partner_id = ${earner}
        and e.kind in ('earned', 'reversal', 'restoration')
      union all
      select e.lead_id, e.amount from commission_entries e
      where e.lead_id = any(${leadIds}::uuid[]) and e.account_id = ${accountId} and e.partner_id = ${earner}) t
    group by lead_id`
  return new Map(rows.map((row) => [row.leadId, row.share]))
}

/** Returns figures of all time of one link blueprint. */
export async function getBlueprintStats(db: Queryable, account: Account, blueprintId: string): Promise<Stats> {
  const row = await db.maybe<Totals>`
    select partners, leads, sales, clicks, revenue, share from total_stats
    where account_id = ${account.id} and partner_id = ${NIL} and blueprint_id = ${blueprintId}`
  return statsFrom(row ?? none, account.defaultCurrency)
}
