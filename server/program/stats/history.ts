import type { HistoricalStats, LeadHistoricalStats, PartnerHistoricalStats, Stats } from '#contract/stats.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { addDays, daysBetween } from '../../platform/time/days.ts'
import type { Range } from '../../platform/time/range.ts'
import type { Access } from '../access/access.ts'

/** Returns the same number of days just before. */
export const previousRange = ({ from, to }: Range): Range => ({
  from: addDays(from, -daysBetween(from, to) - 1),
  to: addDays(from, -1),
})

type Period = HistoricalStats['period']

/** Returns day up to 31 days, week (from Monday) up to 92, month beyond. */
function periodOf({ from, to }: Range): Period {
  const days = daysBetween(from, to) + 1
  return days <= 31 ? 'day' : days <= 92 ? 'week' : 'month'
}

/** Returns the first day inside the range of each of its periods. */
export function periodStarts({ from, to }: Range, period: Period): string[] {
  const starts = [from]
  for (let start = nextStart(from, period); start <= to; start = nextStart(start, period)) starts.push(start)
  return starts
}

function nextStart(day: string, period: Period) {
  if (period === 'day') return addDays(day, 1)
  const date = new Date(`${day}T00:00:00Z`)
  if (period === 'week') return addDays(day, 7 - ((date.getUTCDay() + 6) % 7))
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString().slice(0, 10)
}

/** Owner of the figures: an account, a partner or a blueprint. */
export type Whose = { accountId: string; partnerId?: string | null; blueprintId?: string | null }

type Figures = { partners: number; leads: number; sales: number; clicks: number; revenue: number; share: number }
const none: Figures = { partners: 0, leads: 0, sales: 0, clicks: 0, revenue: 0, share: 0 }

/**
 * The figures a reader may see: profit only for owners and administrators, revenue for partners if the account shows
 * it.
 */
export type Sight = { revenue: boolean; profit: boolean }
export const toSight = ({ as, account }: Access): Sight => {
  const all = as === 'owner' || as === 'admin'
  return { revenue: all || account.partnerVisibility.saleAmounts, profit: all }
}

const shown = (row: Figures, sight: Sight) => ({
  numberOfPartners: row.partners,
  numberOfLeads: row.leads,
  numberOfSales: row.sales,
  salesRevenue: sight.revenue ? row.revenue : null,
  salesRevenueShare: row.share,
  salesProfit: sight.profit ? row.revenue - row.share : null,
  numberOfClicks: row.clicks,
})

const rows = ({ accountId, partnerId, blueprintId }: Whose, { from, to }: Range) => sql`
  from day_stats
  where account_id = ${accountId} and partner_id = ${partnerId ?? NIL} and blueprint_id = ${blueprintId ?? NIL}
    and day between ${from} and ${to}`

const nil = rawSql(`'${NIL}'::uuid`)
/** A partner's own rows of `day_stats`, all links together; written out to match the condition of their index. */
export const partnerRowsSql = sql`(blueprint_id = ${nil} and partner_id <> ${nil})`

const sums = sql`coalesce(sum(partners), 0)::bigint as partners, coalesce(sum(leads), 0)::bigint as leads,
  coalesce(sum(sales), 0)::bigint as sales, coalesce(sum(clicks), 0)::bigint as clicks,
  coalesce(sum(revenue), 0)::bigint as revenue, coalesce(sum(share), 0)::bigint as share`

/** The period of a day, as its first day inside the range. */
const periodOfDay = (day: Sql, period: Period, from: string) =>
  sql`greatest(date_trunc(${rawSql(`'${period}'`)}, ${day})::date, ${from}::date)`

export async function statsBetween(
  db: Queryable,
  whose: Whose,
  range: Range,
  sight: Sight,
  currency: string,
): Promise<Stats> {
  return { ...shown(await db.one<Figures>`select ${sums} ${rows(whose, range)}`, sight), currency }
}

/** Returns every period of the range, zeros included; the deltas sum to the totals of the range. */
export async function readHistory(
  db: Queryable,
  whose: Whose,
  range: Range,
  sight: Sight,
  currency: string,
): Promise<HistoricalStats> {
  const period = periodOf(range)
  const found = await db.many<Figures & { date: string }>`
    select ${periodOfDay(sql`day`, period, range.from)} as date, ${sums} ${rows(whose, range)} group by 1`
  const known = new Map(found.map((row) => [row.date, row]))
  const deltas = periodStarts(range, period).map((date) => ({ date, ...shown(known.get(date) ?? none, sight) }))
  return { startDate: range.from, endDate: range.to, period, currency, deltas }
}

/**
 * Returns a partner's history, with the part of their share earned above layer 1, directly from their entries: roll-ups
 * have no layers. No entry's day is after its creation, so that an index finds the start.
 */
export async function partnerHistory(
  db: Queryable,
  { account, subjectId: partnerId }: Pick<Access, 'account' | 'subjectId'>,
  range: Range,
  sight: Sight,
): Promise<PartnerHistoricalStats> {
  const all = await readHistory(db, { accountId: account.id, partnerId }, range, sight, account.defaultCurrency)
  const found = await db.many<{ date: string; share: number }>`
    select ${periodOfDay(sql`e.day`, all.period, range.from)} as date, sum(e.amount)::bigint as share
    from commission_entries e left join sales s on s.account_id = e.account_id and s.id = e.sale_id
    where e.account_id = ${account.id} and e.partner_id = ${partnerId} and e.layer > 0 and e.day between ${range.from} and ${range.to}
      and e.created_at >= ${range.from}::date - interval '2 days'
      and (e.lead_id is not null or (s.status <> 'void' and s.lead_id is not null))
    group by 1`
  const known = new Map(found.map(({ date, share }) => [date, share]))
  const deltas = all.deltas.map((delta) => ({ ...delta, subPartnersShare: known.get(delta.date) ?? 0 }))
  return { ...all, deltas }
}

type LeadFigures = Pick<Figures, 'sales' | 'revenue' | 'share'>

/** Returns the history of one lead, directly from its few sales and its own pay; a partner sees their own share. */
export async function leadHistory(db: Queryable, access: Access, range: Range): Promise<LeadHistoricalStats> {
  const period = periodOf(range)
  const sight = toSight(access)
  const { id: accountId } = access.account
  const own = access.as === 'partner' ? sql`and e.partner_id = ${access.partnerId}` : sql``
  const found = await db.many<LeadFigures & { date: string }>`
    with sold as (
        select * from sales
        where account_id = ${accountId} and lead_id = ${access.subjectId} and status <> 'void'),
      facts as (
        select sale_date as day, 1 as sales, coalesce(account_amount, 0) as revenue, 0::bigint as share from sold
        union all
        select moved.day, 0, moved.revenue, 0
        from refunds r join sold on r.account_id = ${accountId} and sold.id = r.sale_id
          cross join lateral (values (r.counted_on, -r.account_amount), (r.restored_on, r.restored_amount)) moved (day, revenue)
        union all
        select e.day, 0, 0, e.amount from commission_entries e join sold on e.account_id = ${accountId} and sold.id = e.sale_id ${own}
        union all
        select e.day, 0, 0, e.amount from commission_entries e
        where e.account_id = ${accountId} and e.lead_id = ${access.subjectId} ${own}
      )
    select ${periodOfDay(sql`day`, period, range.from)} as date, sum(sales)::bigint as sales,
      sum(revenue)::bigint as revenue, sum(share)::bigint as share
    from facts where day between ${range.from} and ${range.to} group by 1`
  const known = new Map(found.map((row) => [row.date, row]))
  const deltas = periodStarts(range, period).map((date) => {
    const all = shown({ ...none, ...known.get(date) }, sight)
    const { numberOfSales, salesRevenue, salesRevenueShare, salesProfit } = all
    return { date, numberOfSales, salesRevenue, salesRevenueShare, salesProfit }
  })
  return { startDate: range.from, endDate: range.to, period, currency: access.account.defaultCurrency, deltas }
}
