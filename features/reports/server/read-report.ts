import type { z } from 'zod'
import { NIL } from '#server/platform/database/ids.ts'
import type { Database, Queryable } from '#server/platform/database/pool.ts'
import { joinSql, type Sql, sql } from '#server/platform/database/sql.ts'
import { containsFilter, idFilter } from '#server/platform/http/list.ts'
import { pageWithTotals } from '#server/platform/http/page-with-totals.ts'
import { wrongField } from '#server/platform/refusal.ts'
import { daysBetween, firstOfMonth, lastOfMonth } from '#server/platform/time/days.ts'
import type { Range } from '#server/platform/time/range.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { partnerNameSql } from '#server/program/partner-directory/partner-names.ts'
import {
  type Cohort,
  dimensionsOfSales,
  dimensionsOfVisits,
  type listReport as listCall,
  MOST_COHORT_MONTHS,
  type ReportDimension,
  type ReportRow,
  type ReportTotals,
} from '../contract.ts'
import { addUpDays, DAYS_FOR_A_READER } from './add-up.ts'

type Account = Pick<AccountFacts, 'id' | 'defaultCurrency'>
type Query = z.output<typeof listCall.query & object> & { uncounted?: true }

type Sums = Record<'clicks' | 'leads' | 'sales' | 'revenue' | 'commission' | 'refunds', number>
type Row = Sums & Pick<ReportRow, 'kind' | 'value' | 'name'>

/** The name of a value: that of its partner, group, link or product; other values are their own name. */
const nameIn = (accountId: string, by: ReportDimension): Sql => {
  const of = (table: Sql, name: Sql) =>
    sql`(select ${name} from ${table} n where n.account_id = ${accountId} and n.id = nullif(t.value, '')::uuid)`
  switch (by) {
    case 'partner':
      return of(sql`partners`, partnerNameSql(sql`n`))
    case 'group':
      return of(sql`groups`, sql`n.name`)
    case 'link':
      return of(sql`link_blueprints`, sql`n.name`)
    case 'product':
      return sql`(select n.name from products_seen n where n.account_id = ${accountId} and n.id = t.value
        order by n.kind limit 1)`
    default:
      return sql`null::text`
  }
}

/**
 * The rows of a report, one per value. A group's figures are those of the partners now in it; clicks of deleted ones
 * have no partner.
 */
function rowsOf(
  accountId: string,
  { by, partnerId, groupId }: Pick<Query, 'by' | 'partnerId' | 'groupId'>,
  range: Range,
) {
  const isGroup = by === 'group'
  // partners without a group are in the account's default one, which has its id
  const group = sql`coalesce(p.group_id, p.account_id)`
  const conditions = [
    sql`d.account_id = ${accountId} and d.dimension = ${isGroup ? 'partner' : by} and d.day between ${range.from} and ${range.to}`,
    idFilter(sql`p.id`, partnerId),
    idFilter(group, groupId),
  ].filter((condition) => condition !== undefined)
  const isOfPartner = isGroup || by === 'partner'
  const value = isOfPartner ? sql`coalesce(${isGroup ? group : sql`p.id`}::text, '')` : sql`d.value`
  const kind = isOfPartner ? sql`case when p.id is null then 'none' else 'value' end` : sql`d.kind`
  const partners =
    isOfPartner || partnerId || groupId
      ? sql`left join partners p on p.account_id = ${accountId} and p.id = d.partner_id`
      : sql``
  return sql`(
    select md5(kind || value)::uuid as id, null::timestamptz as created_at, t.kind, t.value, ${nameIn(accountId, by)} as name,
      t.clicks, t.leads, t.sales, t.revenue, t.commission, t.refunds
    from (
      select ${kind} as kind, ${value} as value, sum(d.clicks)::bigint as clicks, sum(d.leads)::bigint as leads,
        sum(d.sales)::bigint as sales, sum(d.revenue)::bigint as revenue, sum(d.share)::bigint as commission,
        sum(d.refunds)::bigint as refunds
      from report_days d ${partners} where ${joinSql(conditions, ' and ')} group by 1, 2) t
    where num_nonnulls(nullif(t.clicks, 0), nullif(t.leads, 0), nullif(t.sales, 0), nullif(t.revenue, 0),
      nullif(t.commission, 0), nullif(t.refunds, 0)) > 0) t`
}

const columns = sql`t.kind, t.value, t.name, t.clicks, t.leads, t.sales, t.revenue, t.commission, t.refunds`
const sums = {
  clicks: sql`t.clicks`,
  leads: sql`t.leads`,
  sales: sql`t.sales`,
  revenue: sql`t.revenue`,
  commission: sql`t.commission`,
  refunds: sql`t.refunds`,
}

/**
 * Adds up what has changed in the range, for a file all of it, and returns a page of its report with the totals of all
 * pages.
 */
export async function readReport(db: Database, account: Account, range: Range, query: Query) {
  const { by, uncounted } = query
  const waiting = await addUpDays(db, account, range, uncounted ? Number.MAX_SAFE_INTEGER : DAYS_FOR_A_READER)
  const from = rowsOf(account.id, query, range)
  const sort = query.sort.endsWith('createdAt') ? '-revenue' : query.sort
  const bigint = (by: Sql) => ({ by, type: 'bigint' }) as const
  const { totals, ...found } = await pageWithTotals<Row, Sums & { count: number }>(
    db,
    { ...query, sort },
    {
      columns,
      from,
      scope: sql`true`,
      filters: [containsFilter(sql`coalesce(t.name, t.value)`, query.search)],
      sorts: {
        clicks: bigint(sums.clicks),
        leads: bigint(sums.leads),
        sales: bigint(sums.sales),
        revenue: bigint(sums.revenue),
        commission: bigint(sums.commission),
        refunds: bigint(sums.refunds),
        profit: bigint(sql`(t.revenue - t.commission)`),
        name: { by: sql`lower(coalesce(t.name, t.value))`, type: 'text' },
      },
    },
    { from, once: true, sums },
  )
  const { count: _, ...added } = totals
  return {
    ...found,
    items: found.items.map(
      ({ kind, value, name, ...figures }): ReportRow => ({
        kind,
        value,
        name,
        ...shown(by, figures),
      }),
    ),
    by,
    currency: account.defaultCurrency,
    startDate: range.from,
    endDate: range.to,
    totals: shown(by, added),
    capped: await isCapped(db, account.id, by, range),
    waiting,
  }
}

const isCapped = (db: Queryable, accountId: string, by: ReportDimension, { from, to }: Range) => db.value<boolean>`
  select exists (
    select from reported_days where account_id = ${accountId} and day between ${from} and ${to} and ${by} = any(capped))`

/** Figures as a reader sees them: without those that a dimension doesn't have. */
function shown(by: ReportDimension, { clicks, leads, sales, revenue, commission, refunds }: Sums): ReportTotals {
  const visited = dimensionsOfVisits.includes(by)
  const each = (figure: number) => (visited && clicks > 0 ? figure / clicks : null)
  return {
    clicks: visited ? clicks : null,
    leads: dimensionsOfSales.includes(by) ? null : leads,
    sales,
    revenue,
    commission,
    profit: revenue - commission,
    refunds,
    conversion: each(sales),
    earningsPerClick: each(commission),
  }
}

/**
 * Returns the payments of each month by the month in which their leads came, with the number of all leads of that month,
 * also of one outside the range. Refuses: more than 36 months.
 */
export async function readCohorts(db: Database, account: Account, asked: Range) {
  const range = { from: firstOfMonth(asked.from), to: lastOfMonth(asked.to) }
  if (daysBetween(range.from, range.to) > MOST_COHORT_MONTHS * 31)
    throw wrongField('range', 'cohorts_too_long', { max: MOST_COHORT_MONTHS })
  const waiting = await addUpDays(db, account, range, DAYS_FOR_A_READER)
  const rows = await db.many<{ cohort: string; month: string } & Pick<Sums, 'sales' | 'revenue' | 'commission'>>`
    select value as cohort, to_char(day, 'YYYY-MM') as month, sum(sales)::bigint as sales,
      sum(revenue)::bigint as revenue, sum(share)::bigint as commission
    from report_days
    where account_id = ${account.id} and dimension = 'lead-month' and part = 'results' and day between ${range.from} and ${range.to}
    group by 1, 2 order by 1, 2`
  const [first, last] = [rows[0]?.cohort, rows.at(-1)?.cohort]
  const leads = first && last ? await leadsByMonth(db, account.id, first, last) : new Map<string, number>()
  const cohorts = [...Map.groupBy(rows, ({ cohort }) => cohort)].map(
    ([month, all]): Cohort => ({
      month,
      leads: leads.get(month) ?? 0,
      months: all
        .filter(({ sales, revenue, commission }) => sales || revenue || commission)
        .map(({ month, sales, revenue, commission }) => ({ month, sales, revenue, commission })),
    }),
  )
  return { currency: account.defaultCurrency, cohorts, waiting }
}

async function leadsByMonth(db: Queryable, accountId: string, first: string, last: string) {
  const rows = await db.many<{ month: string; leads: number }>`
    select to_char(day, 'YYYY-MM') as month, sum(leads)::bigint as leads from day_stats
    where account_id = ${accountId} and partner_id = ${NIL} and blueprint_id = ${NIL}
      and day between ${`${first}-01`} and ${lastOfMonth(`${last}-01`)}
    group by 1`
  return new Map(rows.map(({ month, leads }) => [month, leads]))
}
