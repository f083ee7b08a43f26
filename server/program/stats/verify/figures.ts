import { NIL } from '../../../platform/database/ids.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import { monthsExpected } from '../months.ts'
import { codesExpected, linksExpected } from '../recount.ts'
import { type Checks, compareTables } from './checks.ts'

/**
 * Days for which all single clicks exist; they are deleted after 400 days at the earliest
 * (server/program/clicks/delete-old-clicks.ts). Older days have only roll-ups.
 */
const CLICKS_KEPT_DAYS = 398

/** Facts about leads that statistics count, from the rows themselves. */
const leadFacts = sql`
  select account_id, partner_id, blueprint_id, id as lead_id, created_on as day,
    0 as partners, 1 as leads, 0 as sales, 0 as clicks, 0 as unique_clicks, 0::bigint as revenue, 0::bigint as share
  from leads where status <> 'duplicate'
  union all
  select account_id, partner_id, blueprint_id, lead_id, sale_date, 0, 0, 1, 0, 0, coalesce(account_amount, 0), 0
  from sales where status <> 'void' and lead_id is not null
  union all
  select s.account_id, s.partner_id, s.blueprint_id, s.lead_id, moved.day, 0, 0, 0, 0, 0, moved.revenue, 0
  from refunds r join sales s on s.account_id = r.account_id and s.id = r.sale_id
    cross join lateral (values (r.counted_on, -r.account_amount), (r.restored_on, r.restored_amount)) as moved (day, revenue)
  where s.status <> 'void' and s.lead_id is not null and moved.day is not null
  union all
  select s.account_id, e.partner_id, s.blueprint_id, s.lead_id, e.day, 0, 0, 0, 0, 0, 0, e.amount
  from commission_entries e join sales s on s.account_id = e.account_id and s.id = e.sale_id
  where s.status <> 'void' and s.lead_id is not null
  union all
  select e.account_id, e.partner_id, (l.credit -> e.paid_for ->> 'blueprintId')::uuid, l.id, e.day, 0, 0, 0, 0, 0, 0, e.amount
  from commission_entries e join leads l on l.account_id = e.account_id and l.id = e.lead_id`

/** Every fact that statistics count. Clicks only on days for which all single ones exist. */
const facts = (now: Date): Sql => sql`
  ${leadFacts}
  union all
  select account_id, parent_partner_id, null, null, created_on, 1, 0, 0, 0, 0, 0, 0 from partners
  union all
  select c.account_id, p.id, c.blueprint_id, null, c.day, 0, 0, 0, 1, c.is_unique::int, 0, 0
  from clicks c left join partners p on p.account_id = c.account_id and p.id = c.partner_id
  where not c.is_bot and c.day > ${lastForgotten(now)}`

const lastForgotten = (now: Date) => sql`${now}::timestamptz::date - ${CLICKS_KEPT_DAYS}::integer`

/** The roll-ups by day, with clicks only on days for which single ones exist. */
const dayFigures = (now: Date) => sql`(
  select account_id, partner_id, blueprint_id, day, partners, leads, sales, revenue, share,
    case when day > ${lastForgotten(now)} then clicks end as clicks,
    case when day > ${lastForgotten(now)} then unique_clicks end as unique_clicks
  from day_stats)`

const figures = ['partners', 'leads', 'sales', 'clicks', 'unique_clicks', 'revenue', 'share']

/** Checks of the statistics against every row they count. */
export const figureChecks = (now: Date): Checks => ({
  'the day roll-ups are the sum of the facts': sql`
    with expected as (
      select f.account_id, p.id as partner_id, b.id as blueprint_id, f.day,
        sum(partners) as partners, sum(leads) as leads, sum(sales) as sales, sum(clicks) as clicks,
        sum(unique_clicks) as unique_clicks, sum(revenue) as revenue, sum(share) as share
      from (${facts(now)}) f
        cross join lateral unnest(array[${NIL}, f.partner_id]) as p (id)
        cross join lateral unnest(array[${NIL}, f.blueprint_id]) as b (id)
      where p.id is not null and b.id is not null
      group by 1, 2, 3, 4)
    ${compareTables(sql`expected`, dayFigures(now), ['account_id', 'partner_id', 'blueprint_id', 'day'], figures)}`,

  'the totals are the sum of the days': sql`
    with expected as (
      select account_id, partner_id, blueprint_id,
        sum(partners) as partners, sum(leads) as leads, sum(sales) as sales, sum(clicks) as clicks,
        sum(unique_clicks) as unique_clicks, sum(revenue) as revenue, sum(share) as share
      from day_stats group by 1, 2, 3)
    ${compareTables(sql`expected`, sql`total_stats`, ['account_id', 'partner_id', 'blueprint_id'], figures)}`,

  'the months of partners are the sum of the days': sql`
    with expected as (${monthsExpected(() => sql`true`)})
    ${compareTables(sql`expected`, sql`month_stats`, ['account_id', 'month', 'partner_id'], ['sales', 'revenue'])}`,

  // from the first cap per month or year on (server/program/terms/save-terms.ts)
  'what referrers earned in a month is the sum of the ledger': sql`
    with capped as (select account_id from terms_log where coalesce(terms ->> 'maxPerMonth', terms ->> 'maxPerYear') is not null),
      expected as (${monthsExpected((table) => sql`${table}.account_id in (select account_id from capped)`)})
    ${compareTables(
      sql`expected`,
      sql`(select * from month_stats where account_id in (select account_id from capped))`,
      ['account_id', 'month', 'partner_id'],
      ['earned'],
    )}`,

  // a day that has moved on is added up when it is next read
  'the reports of a day are its figures': sql`
    with up_to_date as (
      select r.account_id, d.day, d.leads, d.sales, d.revenue, d.share,
        case when d.day > ${lastForgotten(now)} then d.clicks end as clicks
      from reported_days r join day_stats d on d.account_id = r.account_id and d.day = r.day and d.version = r.version
      where d.partner_id = ${NIL} and d.blueprint_id = ${NIL}),
    expected as (
      select account_id, day, name as dimension, leads, sales, revenue, share, case when name <> 'lead-month' then clicks end as clicks
      from up_to_date, unnest(${['partner', 'source', 'lead-month']}::text[]) name),
    actual as (
      select r.account_id, r.day, r.dimension, sum(r.leads) as leads, sum(r.sales) as sales, sum(r.revenue) as revenue,
        sum(r.share) as share, sum(r.clicks) filter (where r.day > ${lastForgotten(now)} and r.dimension <> 'lead-month') as clicks
      from report_days r join up_to_date u using (account_id, day) group by 1, 2, 3)
    select concat_ws(' ', e.account_id, e.day, e.dimension) as subject,
      concat_ws(' ', e.leads, e.sales, e.revenue, e.share, e.clicks) as expected,
      concat_ws(' ', a.leads, a.sales, a.revenue, a.share, a.clicks) as actual
    from expected e left join actual a using (account_id, day, dimension)
    where (e.leads, e.sales, e.revenue, e.share, coalesce(e.clicks, 0)) is distinct from
      (coalesce(a.leads, 0), coalesce(a.sales, 0), coalesce(a.revenue, 0), coalesce(a.share, 0), coalesce(a.clicks, 0))`,

  "a lead's figures are the sum of its sales": sql`
    with expected as (
      select account_id, lead_id, sum(sales) as sales, sum(revenue) as revenue, sum(share) as share
      from (${leadFacts}) f group by 1, 2)
    ${compareTables(sql`expected`, sql`lead_stats`, ['account_id', 'lead_id'], ['sales', 'revenue', 'share'], ['lead_id'])}`,

  'own links count what came of them': sql`
    with expected as (${linksExpected(() => sql`true`)})
    ${compareTables(sql`expected`, sql`link_totals`, ['account_id', 'link_id'], ['leads', 'sales', 'revenue'])}`,

  'promotion codes count the sales that used them': sql`
    with expected as (${codesExpected(() => sql`true`)})
    ${compareTables(sql`expected`, sql`code_totals`, ['account_id', 'code'], ['sales', 'revenue'])}`,

  "an own link counts no more than its template's link": sql`
    select t.link_id::text as subject, concat_ws(' ', s.clicks, s.leads, s.sales, s.revenue) as expected,
      concat_ws(' ', t.clicks, t.leads, t.sales, t.revenue) as actual
    from link_totals t join partner_links l on l.account_id = t.account_id and l.id = t.link_id
      left join total_stats s on s.account_id = t.account_id and s.partner_id = l.partner_id
        and s.blueprint_id = l.blueprint_id
    where t.clicks > coalesce(s.clicks, 0) or t.leads > coalesce(s.leads, 0) or t.sales > coalesce(s.sales, 0)
      or t.revenue > coalesce(s.revenue, 0)`,

  'own links and sub-IDs belong to the partner of what came of them': sql`
    select o.id::text as subject, l.partner_id::text as expected, o.partner_id::text as actual
    from (
      select id, account_id, partner_id, link_id, sub_id from leads where link_id is not null or sub_id is not null
      union all
      select id, account_id, partner_id, link_id, null from sales where link_id is not null
    ) o left join partner_links l on l.account_id = o.account_id and l.id = o.link_id
    where o.partner_id is null or (o.link_id is not null and l.partner_id is distinct from o.partner_id)`,

  'figures are kept with the account they belong to': sql`
    select f.lead_id::text as subject, 'a lead of its account' as expected, f.account_id::text as actual
    from lead_stats f left join leads l on l.account_id = f.account_id and l.id = f.lead_id where l.id is null`,

  // no foreign key enforces this (server/program/clicks/queries.ts)
  'clicks are kept with the account they belong to': sql`
    select c.id::text as subject, o.account_id::text as expected, c.account_id::text as actual
    from clicks c join (
      select id, account_id from partners union all select id, account_id from link_blueprints
    ) o on o.id in (c.partner_id, c.blueprint_id)
    where o.account_id <> c.account_id`,
})
