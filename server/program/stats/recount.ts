import { NIL } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { eachNight } from '../access/each-night.ts'
import { earnedForCaps } from '../terms/earned-months.ts'

// Servers of the release before know neither the totals of codes and own links nor what referrers earned per month. A
// trigger marks the days that they write (migration 0470).

/** Sales where `of` is true, and their refunds, as totals count them. */
const sold = (of: (table: Sql) => Sql) => sql`
  select account_id, link_id, promotion_codes, 1 as sales, coalesce(account_amount, 0) as revenue,
    case when created_at < sale_date + interval '2 days' then created_at
      else (sale_date + interval '12 hours') at time zone 'UTC' end as used_at
  from sales s where status <> 'void' and lead_id is not null and ${of(sql`s`)}
  union all
  select s.account_id, s.link_id, s.promotion_codes, 0, coalesce(moved.revenue, 0), null
  from refunds r join sales s on s.account_id = r.account_id and s.id = r.sale_id
    cross join lateral (values (r.counted_on, -r.account_amount), (r.restored_on, r.restored_amount)) as moved (day, revenue)
  where s.status <> 'void' and s.lead_id is not null and moved.day is not null and ${of(sql`s`)}`

/** The rows of `code_totals` as they follow from the sales where `of` is true. */
export const codesExpected = (of: (table: Sql) => Sql) => sql`
  select account_id, code, sum(sales) as sales, sum(revenue) as revenue, max(used_at) as last_used_at
  from (${sold((s) => sql`${s}.promotion_codes is not null and ${of(s)}`)}) f
    cross join lateral unnest(f.promotion_codes) as used (code)
  group by 1, 2`

/** The rows of `link_totals`, without clicks, as they follow from the leads and sales where `of` is true. */
export const linksExpected = (of: (table: Sql) => Sql) => sql`
  select account_id, link_id, sum(leads) as leads, sum(sales) as sales, sum(revenue) as revenue
  from (
    select account_id, link_id, 1 as leads, 0 as sales, 0::bigint as revenue from leads l
    where status <> 'duplicate' and link_id is not null and ${of(sql`l`)}
    union all
    select account_id, link_id, 0, sales, revenue from (${sold((s) => sql`${s}.link_id is not null and ${of(s)}`)}) f) f
  group by 1, 2`

type Day = { partnerId: string; blueprintId: string; day: string; version: number }

/** Recounts the totals of each account in the night after a server of the release before has written its days. */
export const recountByNight = eachNight(
  'recount',
  2,
  (tx, account) => recount(tx, account),
  () => sql`a.id in (select account_id from day_stats where behind)`,
)

/**
 * Adds what totals lack. Each difference is read by one statement, in whose snapshot rows and totals are of the same
 * moment, and added afterwards, so bookings go on meanwhile. A day written in between stays marked.
 */
async function recount(tx: Transaction, { id }: Pick<AccountFacts, 'id'>): Promise<void> {
  const ofAccount = (table: Sql) => sql`${table}.account_id = ${id}`
  const days = await tx.many<Day>`
    select partner_id, blueprint_id, day, version from day_stats where account_id = ${id} and behind`
  const codes = await tx.many<{ code: string; sales: number; revenue: number; lastUsedAt: string | null }>`
    with expected as (${codesExpected(ofAccount)})
    select code, coalesce(e.sales, 0) - coalesce(t.sales, 0) as sales, coalesce(e.revenue, 0) - coalesce(t.revenue, 0) as revenue,
      e.last_used_at
    from expected e full join (select * from code_totals where account_id = ${id}) t using (code)
    where (coalesce(e.sales, 0), coalesce(e.revenue, 0)) <> (coalesce(t.sales, 0), coalesce(t.revenue, 0)) order by 1`
  const links = await tx.many<{ linkId: string; leads: number; sales: number; revenue: number }>`
    with expected as (${linksExpected(ofAccount)})
    select link_id, coalesce(e.leads, 0) - coalesce(t.leads, 0) as leads, coalesce(e.sales, 0) - coalesce(t.sales, 0) as sales,
      coalesce(e.revenue, 0) - coalesce(t.revenue, 0) as revenue
    from expected e full join (select * from link_totals where account_id = ${id}) t using (link_id)
    where (coalesce(e.leads, 0), coalesce(e.sales, 0), coalesce(e.revenue, 0)) <>
      (coalesce(t.leads, 0), coalesce(t.sales, 0), coalesce(t.revenue, 0)) order by 1`
  const months = await tx.many<{ month: string; partnerId: string; earned: number }>`
    with expected as (
      select date_trunc('month', sale_date::timestamp)::date as month, partner_id, sum(amount) as earned
      from ${earnedForCaps(ofAccount)} e group by 1, 2)
    select t.month, t.partner_id, coalesce(e.earned, 0) - t.earned as earned
    from month_stats t left join expected e using (month, partner_id)
    where t.account_id = ${id} and coalesce(e.earned, 0) <> t.earned order by 1, 2`
  // in the order in which bookings count
  await tx.run`
    select from total_stats where account_id = ${id} and partner_id = ${NIL} and blueprint_id = ${NIL} for no key update`
  await tx.run`
    update day_stats s set version = s.version + 1, behind = s.behind and s.version is distinct from n.version
    from (
      select d.partner_id, d.blueprint_id, d.day, n.version
      from day_stats d left join unnest(${days.map((day) => day.partnerId)}::uuid[], ${days.map((day) => day.blueprintId)}::uuid[],
        ${days.map(({ day }) => day)}::date[], ${days.map(({ version }) => version)}::bigint[])
        as n (partner_id, blueprint_id, day, version) using (partner_id, blueprint_id, day)
      where d.account_id = ${id} and d.day = any(${days.map(({ day }) => day)}::date[])
        and (n.version is not null or (d.partner_id = ${NIL} and d.blueprint_id = ${NIL}))
      order by 1, 2, 3 for no key update of d) n
    where s.account_id = ${id} and (s.partner_id, s.blueprint_id, s.day) = (n.partner_id, n.blueprint_id, n.day)`
  await tx.run`
    update month_stats m set earned = m.earned + n.earned
    from unnest(${months.map(({ month }) => month)}::date[], ${months.map(({ partnerId }) => partnerId)}::uuid[],
      ${months.map(({ earned }) => earned)}::bigint[]) as n (month, partner_id, earned)
    where m.account_id = ${id} and m.month = n.month and m.partner_id = n.partner_id`
  await tx.run`
    insert into link_totals as t (account_id, link_id, leads, sales, revenue)
    select ${id}, * from unnest(${links.map(({ linkId }) => linkId)}::uuid[], ${links.map(({ leads }) => leads)}::bigint[],
      ${links.map(({ sales }) => sales)}::bigint[], ${links.map(({ revenue }) => revenue)}::bigint[])
    on conflict (account_id, link_id) do update set leads = t.leads + excluded.leads, sales = t.sales + excluded.sales,
      revenue = t.revenue + excluded.revenue`
  await tx.run`
    insert into code_totals as t (account_id, code, sales, revenue, last_used_at)
    select ${id}, * from unnest(${codes.map(({ code }) => code)}::text[], ${codes.map(({ sales }) => sales)}::bigint[],
      ${codes.map(({ revenue }) => revenue)}::bigint[], ${codes.map(({ lastUsedAt }) => lastUsedAt)}::timestamptz[])
    on conflict (account_id, code) do update set sales = t.sales + excluded.sales, revenue = t.revenue + excluded.revenue,
      last_used_at = greatest(t.last_used_at, excluded.last_used_at)`
}
