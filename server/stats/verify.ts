import { NIL } from '../database/ids.ts'
import type { Queryable } from '../database/pool.ts'
import { raw, type Sql, sql } from '../database/sql.ts'

/** A figure that does not follow from the rows behind it. */
export type Difference = { check: string; subject: string; expected: string; actual: string }

/** What a sale has lost: counted refunds and lost disputes, never more than was paid; all of it when void. */
const losses = sql`
  select s.*, case when s.status = 'void' or s.past_limit then s.gross_amount else r.counted end as lost, r.counted, r.taken, r.open_dispute, r.lost_dispute
  from sales s cross join lateral (
    select least(s.gross_amount, coalesce(sum(amount) filter (
        where (kind = 'refund' and status in ('pending', 'succeeded')) or (kind = 'dispute' and status = 'succeeded')), 0)) as counted,
      coalesce(sum(account_amount - restored_amount), 0) as taken,
      coalesce(bool_or(kind = 'dispute' and status = 'pending'), false) as open_dispute,
      coalesce(bool_or(kind = 'dispute' and status = 'succeeded'), false) as lost_dispute
    from refunds where sale_id = s.id) r`

/** x × n / d rounded half up, in exact numerics. */
const share = (x: Sql, n: Sql, d: Sql) => sql`floor((2 * ${x}::numeric * ${n} + ${d}) / (2 * ${d}::numeric))`

/**
 * Per sale and layer: what its rate gives of the sale as it is now (the deeper layer gets what is left), and what is
 * there. A sale that was never corrected earned that in one entry.
 */
const layers = sql`
  select sale_id, layer, net, greatest(0, least(rated, account_amount - coalesce(sum(rated) over (
      partition by sale_id order by layer rows between unbounded preceding and 1 preceding), 0))) as earned
  from (
    select e.sale_id, e.layer, s.account_amount, sum(e.amount) as net,
      ${share(sql`s.account_amount`, sql`min(e.rate_ppm)`, sql`1000000`)} as rated
    from commission_entries e join sales s on s.id = e.sale_id
    group by e.sale_id, e.layer, s.account_amount) l`

/** Every fact that statistics count, from the rows themselves. */
const facts = sql`
  select account_id, parent_partner_id as partner_id, null::uuid as blueprint_id, null::uuid as lead_id, created_on as day,
    1 as partners, 0 as leads, 0 as sales, 0 as clicks, 0 as unique_clicks, 0::bigint as revenue, 0::bigint as share
  from partners
  union all
  select account_id, partner_id, blueprint_id, id, created_on, 0, 1, 0, 0, 0, 0, 0 from leads where status <> 'duplicate'
  union all
  select account_id, partner_id, blueprint_id, null, day, 0, 0, 0, 1, is_unique::int, 0, 0 from clicks where not is_bot
  union all
  select account_id, partner_id, blueprint_id, lead_id, sale_date, 0, 0, 1, 0, 0, coalesce(account_amount, 0), 0
  from sales where status <> 'void' and lead_id is not null
  union all
  select s.account_id, s.partner_id, s.blueprint_id, s.lead_id, moved.day, 0, 0, 0, 0, 0, moved.revenue, 0
  from refunds r join sales s on s.id = r.sale_id
    cross join lateral (values (r.counted_on, -r.account_amount), (r.restored_on, r.restored_amount)) as moved (day, revenue)
  where s.status <> 'void' and s.lead_id is not null and moved.day is not null
  union all
  select s.account_id, e.partner_id, s.blueprint_id, s.lead_id, e.day, 0, 0, 0, 0, 0, 0, e.amount
  from commission_entries e join sales s on s.id = e.sale_id
  where s.status <> 'void' and s.lead_id is not null`

const figures = ['partners', 'leads', 'sales', 'clicks', 'unique_clicks', 'revenue', 'share']

const checks: Record<string, Sql> = {
  'what a sale has lost is the sum of its refunds': sql`
    select id::text as subject, counted::text as expected, refunded_amount::text as actual
    from (${losses}) s where refunded_amount <> counted`,

  "a sale's status follows from its refunds and disputes": sql`
    select * from (
      select id::text as subject, case
          when status = 'void' then 'void' when lost_dispute then 'charged-back' when open_dispute then 'disputed'
          when counted = 0 then 'completed' when counted >= gross_amount then 'refunded' else 'partially-refunded'
        end as expected, status as actual
      from (${losses}) s) s
    where expected <> actual`,

  'an open dispute marks its sale': sql`
    select id::text as subject, open_dispute::text as expected, disputed::text as actual
    from (${losses}) s where disputed <> open_dispute`,

  'revenue lost is the share of the sale that was lost': sql`
    select * from (
      select id::text as subject, ${share(sql`account_amount`, sql`counted`, sql`nullif(gross_amount, 0)`)}::text as expected, taken::text as actual
      from (${losses}) s where account_amount is not null and gross_amount > 0) s
    where expected <> actual`,

  'every layer keeps its share of what the sale has not lost': sql`
    select * from (
      select s.id || ' layer ' || e.layer as subject, (e.earned - ${share(sql`e.earned`, sql`s.lost`, sql`nullif(s.gross_amount, 0)`)})::text as expected,
        e.net::text as actual
      from (${losses}) s join (${layers}) e on e.sale_id = s.id) s
    where expected is distinct from actual`,

  'an entry is its rate of the sale': sql`
    select e.id::text as subject, ${share(sql`s.account_amount`, sql`e.rate_ppm`, sql`1000000`)} || ' of ' || s.account_amount as expected,
      e.amount || ' of ' || e.base_amount as actual
    from commission_entries e join sales s on s.id = e.sale_id
    where e.kind = 'earned' and not exists (select from sale_corrections c where c.sale_id = s.id) and (e.base_amount <> s.account_amount
      or (e.amount <> ${share(sql`e.base_amount`, sql`e.rate_ppm`, sql`1000000`)}
        and (select sum(amount) from commission_entries o where o.sale_id = s.id and o.kind = 'earned') <> s.account_amount))`,

  'the layers of a sale never earn more than the sale': sql`
    select s.id::text as subject, 'at most ' || s.account_amount as expected, sum(e.amount)::text as actual
    from commission_entries e join sales s on s.id = e.sale_id
    group by s.id having sum(e.amount) > s.account_amount`,

  'a sale has the amounts of its last correction': sql`
    select s.id::text as subject, concat_ws(' ', c.amount, c.tax_amount, c.gross_amount) as expected,
      concat_ws(' ', s.amount, s.tax_amount, s.gross_amount) as actual
    from sales s join lateral (
      select * from sale_corrections where sale_id = s.id order by created_at desc, id desc limit 1) c on true
    where (s.amount, s.tax_amount, s.gross_amount) <> (c.amount, c.tax_amount, c.gross_amount)`,

  'the referrer earns in the first layer, and all in the currency of the sale': sql`
    select e.id::text as subject, s.partner_id || ' ' || s.account_currency as expected, e.partner_id || ' ' || e.currency as actual
    from commission_entries e join sales s on s.id = e.sale_id
    where e.currency <> s.account_currency or (e.layer = 0 and e.partner_id is distinct from s.partner_id)`,

  'an approved payout is the sum of its entries': sql`
    select p.id::text as subject, p.amount::text as expected, coalesce(sum(e.amount), 0)::text as actual
    from payouts p
      left join payout_entries pe on pe.payout_id = p.id and pe.live
      left join commission_entries e on e.id = pe.entry_id
    where p.status in ('approved', 'processing', 'awaiting-funding', 'sent', 'paid', 'failed')
    group by p.id having p.amount <> coalesce(sum(e.amount), 0)`,

  'a payout that is not approved, or canceled, holds nothing': sql`
    select p.id::text as subject, '0' as expected, count(*)::text as actual
    from payouts p join payout_entries pe on pe.payout_id = p.id and pe.live
    where p.status in ('gathering', 'canceled') group by p.id`,

  'a payout holds entries of its own partner and currency alone': sql`
    select p.id::text as subject, p.partner_id || ' ' || p.currency as expected, e.partner_id || ' ' || e.currency as actual
    from payouts p join payout_entries pe on pe.payout_id = p.id and pe.live join commission_entries e on e.id = pe.entry_id
    where e.partner_id <> p.partner_id or e.currency <> p.currency`,

  'nobody is paid more than he has earned': sql`
    select * from (
      select e.partner_id::text as subject,
        coalesce(sum(e.amount) filter (where e.amount > 0 and e.kind in ('earned', 'adjustment', 'bonus')), 0) as most,
        coalesce(sum(e.amount) filter (where pe.live), 0) as paid
      from commission_entries e left join payout_entries pe on pe.entry_id = e.id and pe.live
      group by e.partner_id) p cross join lateral (select 'at most ' || most as expected, paid::text as actual) words
    where paid > most`,

  'the day roll-ups are the sum of the facts': sql`
    with expected as (
      select f.account_id, p.id as partner_id, b.id as blueprint_id, f.day,
        sum(partners) as partners, sum(leads) as leads, sum(sales) as sales, sum(clicks) as clicks,
        sum(unique_clicks) as unique_clicks, sum(revenue) as revenue, sum(share) as share
      from (${facts}) f
        cross join lateral (select ${NIL}::uuid as id union select f.partner_id where f.partner_id is not null) p
        cross join lateral (select ${NIL}::uuid as id union select f.blueprint_id where f.blueprint_id is not null) b
      group by 1, 2, 3, 4)
    ${compared(sql`expected`, sql`day_stats`, ['account_id', 'partner_id', 'blueprint_id', 'day'], figures)}`,

  'the totals are the sum of the days': sql`
    with expected as (
      select account_id, partner_id, blueprint_id,
        sum(partners) as partners, sum(leads) as leads, sum(sales) as sales, sum(clicks) as clicks,
        sum(unique_clicks) as unique_clicks, sum(revenue) as revenue, sum(share) as share
      from day_stats group by 1, 2, 3)
    ${compared(sql`expected`, sql`total_stats`, ['account_id', 'partner_id', 'blueprint_id'], figures)}`,

  "a lead's figures are the sum of its sales": sql`
    with expected as (
      select lead_id, sum(sales) as sales, sum(revenue) as revenue, sum(share) as share
      from (${facts}) f where lead_id is not null group by 1)
    ${compared(sql`expected`, sql`lead_stats`, ['lead_id'], ['sales', 'revenue', 'share'])}`,
}

/** Rows of two tables that differ in a figure; a row that is missing counts as zeros. */
function compared(expected: Sql, actual: Sql, keys: string[], figures: string[]): Sql {
  const text = (table: string) =>
    figures.map((name) => `'${name} ' || coalesce(${table}.${name}, 0)`).join(` || ', ' || `)
  const differ = figures.map((name) => `coalesce(expected.${name}, 0) <> coalesce(actual.${name}, 0)`).join(' or ')
  const subject = keys.map((key) => `coalesce(expected.${key}, actual.${key})`).join(` || ' ' || `)
  const on = keys.map((key) => `expected.${key} = actual.${key}`).join(' and ')
  return sql`
    select ${raw(subject)} as subject, ${raw(text('expected'))} as expected, ${raw(text('actual'))} as actual
    from ${expected} expected full join ${actual} actual on ${raw(on)}
    where ${raw(differ)}`
}

const SHOWN = 100

/**
 * Recomputes sales, entries, payouts and statistics from the rows they follow from, on one consistent view of the
 * database, and answers every difference (a hundred per check at most).
 */
export async function verifyLedger(db: Queryable): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const [check, query] of Object.entries(checks)) {
    const rows = await db.many<Omit<Difference, 'check'>>`select * from (${query}) found limit ${SHOWN}`
    differences.push(...rows.map((row) => ({ check, ...row })))
  }
  return differences
}

/** The names of what is verified. */
export const verified = Object.keys(checks)
