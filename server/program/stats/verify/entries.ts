import { type Sql, sql } from '../../../platform/database/sql.ts'
import { type Checks, shareSql } from './checks.ts'
import { losses } from './sales.ts'

/** The commission recorded for this layer of a sale `s`; null for one that earns by rates. */
const recordedCommission = (layer: Sql) =>
  shareSql(
    sql`s.account_amount`,
    sql`case when s.credit ? 'given' then coalesce(
      case when ${layer} = 0 then (s.credit -> 'given' ->> 'commission')::bigint
        else (s.credit -> 'given' -> 'others' ->> (${layer} - 1)::integer)::bigint end, 0) end`,
    sql`(s.credit -> 'given' ->> 'amount')::bigint`,
  )

/** The expected earnings of each layer of a sale by its credit: the deeper layer gets the rest. */
const planned = sql`
  select account_id, sale_id, layer, partner_id, rate_ppm,
    case when credited then greatest(0, least(rated, account_amount - coalesce(sum(rated) over (
      partition by account_id, sale_id order by layer rows between unbounded preceding and 1 preceding), 0))) else 0 end as earned
  from (
    select s.account_id, s.id as sale_id, r.place - 1 as layer, l.partner_id, r.rate::integer as rate_ppm, s.account_amount, s.credited,
      case when l.earns and l.partner_id is not null
        then coalesce(${recordedCommission(sql`(r.place - 1)`)}, ${shareSql(sql`s.account_amount`, sql`r.rate::integer`, sql`1000000`)}) else 0 end as rated
    from sales s
      cross join lateral jsonb_array_elements_text(s.credit -> 'ratesPpm') with ordinality as r (rate, place)
      cross join lateral (select (s.credit -> 'line' -> (r.place - 1)::integer ->> 'partnerId')::uuid as partner_id,
        (s.credit -> 'line' -> (r.place - 1)::integer ->> 'earns')::boolean as earns) l
    where s.account_amount is not null) p`

/** Whether entry `e` is of a sale credited by percentages alone; the others are checked by their parts. */
const isByRates = sql`exists (select from sales b where b.account_id = e.account_id and b.id = e.sale_id and b.credit ? 'ratesPpm')`

/** Checks of the ledger against the sales, refunds and actions that caused its entries. */
export const entryChecks: Checks = {
  'pay for a lead waits for cases of the lead or its partner': sql`
    select e.id::text as subject, 'a case of the lead or its partner, with a hold' as expected,
      coalesce(nullif(concat_ws(' ', c.action, c.lead_id, c.partner_id), ''), 'no case') as actual
    from commission_entries e cross join unnest(e.held_by) as h (id)
      left join leads l on l.account_id = e.account_id and l.id = e.lead_id
      left join fraud_cases c on c.account_id = e.account_id and c.id = h.id
    where c.id is null or c.action <> 'hold' or c.sale_id is not null or coalesce(c.lead_id, e.lead_id) is distinct from e.lead_id
      or (c.lead_id is null and not coalesce(l.credit -> e.paid_for ? 'former', false)
        and c.partner_id::text is distinct from l.credit -> e.paid_for -> 'line' -> 0 ->> 'partnerId')`,

  'every layer has what the sale was credited with, less its share of what the sale has lost': sql`
    select * from (
      select coalesce(p.sale_id, e.sale_id) || ' layer ' || coalesce(p.layer, e.layer) as subject,
        case when p.net <> 0 or e.net is not null then coalesce(p.net, 0) || ' at ' || coalesce(p.rate_ppm::text, 'none') end as expected,
        coalesce(e.net || ' at ' || e.rates, 'nothing') as actual,
        coalesce(p.net, 0) <> coalesce(e.net, 0) or (e.net is not null and e.rates is distinct from p.rate_ppm::text
          -- imported again, a further partner's share may be another one
          and not exists (select from sales s join sale_corrections c on c.account_id = s.account_id and c.sale_id = s.id
            where s.account_id = e.account_id and s.id = e.sale_id and s.credit -> 'given' ? 'others')) as differs
      from (
        select p.*, p.earned - coalesce(${shareSql(sql`p.earned`, sql`s.lost`, sql`nullif(s.gross_amount, 0)`)}, 0) as net
        from (${planned}) p join (${losses}) s on s.account_id = p.account_id and s.id = p.sale_id) p
      full join (
        select account_id, sale_id, layer, partner_id, sum(amount) as net, string_agg(distinct rate_ppm::text, ' ') as rates
        from commission_entries e where ${isByRates} group by 1, 2, 3, 4) e
        on e.account_id = p.account_id and e.sale_id = p.sale_id and e.layer = p.layer and e.partner_id = p.partner_id) l
    where differs`,

  'an entry is its rate of the sale': sql`
    select e.id::text as subject, ${shareSql(sql`s.account_amount`, sql`e.rate_ppm`, sql`1000000`)} || ' of ' || s.account_amount as expected,
      e.amount || ' of ' || e.base_amount as actual
    from commission_entries e join sales s on s.account_id = e.account_id and s.id = e.sale_id
    where e.kind = 'earned' and s.credit ? 'ratesPpm' and not exists (select from sale_corrections c where c.account_id = s.account_id and c.sale_id = s.id) and (e.base_amount <> s.account_amount
      or (e.amount <> coalesce(${recordedCommission(sql`e.layer`)}, ${shareSql(sql`e.base_amount`, sql`e.rate_ppm`, sql`1000000`)})
        and (select sum(amount) from commission_entries o where o.account_id = s.account_id and o.sale_id = s.id and o.kind = 'earned') <> s.account_amount))`,

  'a correction has its part of the base': sql`
    select c.id::text as subject, (sign(c.amount) * ${shareSql(sql`e.base_amount`, sql`abs(c.amount)`, sql`e.amount`)})::text as expected,
      c.base_amount::text as actual
    from commission_entries c
      join commission_entries e on e.account_id = c.account_id and e.sale_id = c.sale_id and e.partner_id = c.partner_id
        and e.layer = c.layer and e.kind = 'earned'
    where c.kind in ('reversal', 'restoration')
      and exists (select from sales s where s.account_id = c.account_id and s.id = c.sale_id and s.credit ? 'ratesPpm')
      and not exists (select from sale_corrections k where k.account_id = c.account_id and k.sale_id = c.sale_id)
      and c.base_amount <> sign(c.amount) * ${shareSql(sql`e.base_amount`, sql`abs(c.amount)`, sql`e.amount`)}`,

  'a correction has its cause: a refund, a new amount, another payment of its subscription or customer, or a void': sql`
    select e.id::text as subject, e.sale_id::text as expected,
      coalesce(r.sale_id, k.sale_id, o.id)::text as actual
    from commission_entries e join sales s on s.account_id = e.account_id and s.id = e.sale_id
      left join refunds r on r.account_id = e.account_id and r.id = e.refund_id
      left join sale_corrections k on k.account_id = e.account_id and k.id = e.correction_id
      left join sales o on o.account_id = e.account_id and o.id = e.limit_sale_id
        -- by now either may be of another subscription, and both of no customer: of an import that was undone
        and ((o.subscription_id is not null and s.recurring_months is not null)
          or (o.lead_id is not distinct from s.lead_id and s.customer_place is not null))
    where e.sale_id is not null and (num_nonnulls(e.refund_id, e.correction_id, e.limit_sale_id) > 1 or case
      -- a refund that comes to nothing gives more than was ever earned of a sale that meanwhile earns more
      when e.refund_id is not null then r.sale_id is distinct from e.sale_id
        or (e.kind = 'earned' and s.customer_place is null
          and not exists (select from sale_corrections c where c.account_id = e.account_id and c.sale_id = e.sale_id))
      when e.correction_id is not null then k.sale_id is distinct from e.sale_id
      when e.limit_sale_id is not null then o.id is null
      -- of a void that has ended, and of its end
      else e.kind <> 'earned' and s.status <> 'void' and (s.restored_at >= e.created_at) is not true end)`,

  'the layers of a sale never earn more than the sale': sql`
    select s.id::text as subject, 'at most ' || s.account_amount as expected, sum(e.amount)::text as actual
    from commission_entries e join sales s on s.account_id = e.account_id and s.id = e.sale_id
    group by s.id, s.account_id having sum(e.amount) > s.account_amount`,

  'the referrer earns in the first layer, and all in the currency of the sale': sql`
    select e.id::text as subject, coalesce(s.partner_id || ' ' || s.account_currency, 'a sale of its account') as expected,
      e.partner_id || ' ' || e.currency as actual
    from commission_entries e left join sales s on s.account_id = e.account_id and s.id = e.sale_id
    where e.sale_id is not null and (e.currency is distinct from s.account_currency
      or (e.layer = 0 and e.partner_id is distinct from s.partner_id))`,

  'what a sale earns falls due its delay after its day, corrections with it or when it was paid': sql`
    select id::text as subject, due_at::text as expected, available_at::text as actual from (
      select e.id, e.available_at, case
          when e.clawback then e.created_at
          when num_nonnulls(e.correction_id, e.refund_id, e.limit_sale_id) > 0 and e.kind = 'earned'
            and e.available_at = e.created_at then e.created_at
          when s.credit ? 'payoutDelay'
            then (s.sale_date + (s.credit ->> 'payoutDelay')::integer)::timestamp at time zone (s.credit ->> 'timeZone')
          else (select min(o.available_at) from commission_entries o
            where o.account_id = e.account_id and o.sale_id = e.sale_id and o.kind = 'earned' and o.correction_id is null) end as due_at
      from commission_entries e join sales s on s.account_id = e.account_id and s.id = e.sale_id) e
    where available_at <> due_at`,

  'a correction is taken from the next payout where the entry already stood in one': sql`
    select c.id::text as subject, (not c.clawback)::text as expected, c.clawback::text as actual
    from commission_entries c
      join commission_entries e on e.account_id = c.account_id and e.partner_id = c.partner_id
        and coalesce(e.sale_id, e.lead_id) = coalesce(c.sale_id, c.lead_id) and e.paid_for is not distinct from c.paid_for
        and e.layer = c.layer and e.kind = 'earned' and e.id < c.id
      left join payout_entries pe on pe.account_id = e.account_id and pe.entry_id = e.id
      -- the transaction that began later may have got the lock first: then the payout has both entries
      left join payout_entries b on b.account_id = c.account_id and b.entry_id = c.id and b.payout_id = pe.payout_id
    where c.kind in ('reversal', 'restoration')
    group by c.id, c.account_id
    having case when c.clawback then not bool_or(pe.entry_id is not null)
      else bool_or(pe.live and pe.approved_at < c.created_at and b.entry_id is null) end`,

  'an entry counts on the day of its sale, or of the refund it follows': sql`
    select e.id::text as subject,
      case when e.refund_id is null then s.sale_date::text
        else coalesce(nullif(concat_ws(' or ', r.counted_on, r.restored_on), ''), 'about ' || e.created_at::date) end as expected,
      e.day::text as actual
    from commission_entries e join sales s on s.account_id = e.account_id and s.id = e.sale_id
      left join refunds r on r.account_id = e.account_id and r.id = e.refund_id
    where case
      when e.refund_id is null then e.day <> s.sale_date
      when r.counted_on is not null then e.day <> r.counted_on and e.day is distinct from r.restored_on
      else e.day not between e.created_at::date - 1 and e.created_at::date + 1 end`,

  // clocks and zones may differ by two days; `partnerHistory` depends on this
  'no entry counts on a day after it was written': sql`
    select id::text as subject, 'at most ' || (created_at::date + 2) as expected, day::text as actual
    from commission_entries where created_at < day - interval '2 days'`,

  'only an earning is taken from a payout already made': sql`
    select id::text as subject, 'false' as expected, 'true' as actual
    from commission_entries where clawback and kind not in ('reversal', 'restoration')`,

  'a commission that was given is what the sale was credited with': sql`
    select id::text as subject, coalesce(given_commission || ' of ' || amount, 'by rates') as expected,
      coalesce((credit -> 'given' ->> 'commission') || ' of ' || (credit -> 'given' ->> 'amount'), 'by rates') as actual
    from sales
    where credit is not null and ((given_commission is null) <> (credit -> 'given' is null)
      or (given_commission::text <> credit -> 'given' ->> 'commission' or amount::text <> credit -> 'given' ->> 'amount')
        -- of the amount that it had when it was credited
        and not exists (select from sale_corrections c
          where c.account_id = sales.account_id and c.sale_id = sales.id and c.amount_before::text = credit -> 'given' ->> 'amount'))`,

  'whoever gave or took by hand is on record': sql`
    select e.id::text as subject, e.amount || ' ' || a.default_currency || ' on record for ' || e.partner_id as expected,
      coalesce('as ' || e.kind || ' by ' || e.actor || ' in ' || e.currency, 'nobody') as actual
    from commission_entries e join accounts a on a.id = e.account_id
    where e.sale_id is null and e.lead_id is null and e.award_id is null and (e.kind <> 'adjustment' or e.refund_id is not null or e.currency <> a.default_currency
      or (e.available_at <> e.created_at and not exists (select from commission_entries o
        where o.account_id = e.account_id and o.sale_id = e.settles_sale_id and o.partner_id = e.partner_id
          and o.available_at = e.available_at))
      or num_nonnulls(e.layer, e.rate_ppm, e.base_amount) > 0
      or not exists (select from audit d
        where d.account_id = e.account_id and d.action = 'partner.adjusted' and d.subject_id = e.partner_id
          and d.at = e.created_at and d.changes -> 'amount' ->> 'new' = e.amount::text
          and d.changes -> 'reason' ->> 'new' is not distinct from e.reason
          -- what was paid before an import counts on the day it was paid
          and case when d.changes ? 'day' then e.day::text = d.changes -> 'day' ->> 'new'
            else e.day between e.created_at::date - 1 and e.created_at::date + 1 end
          and (e.actor = d.actor_type || coalesce(':' || d.actor_id, '')
            or (d.actor_type = 'system' and e.actor like 'system:%'))))`,

  'whoever gave or took by hand is in the ledger': sql`
    select d.id::text as subject, (d.changes -> 'amount' ->> 'new') || ' for ' || d.subject_id as expected, 'no entry' as actual
    from audit d
    where d.action = 'partner.adjusted' and not exists (
      select from commission_entries e
      where e.account_id = d.account_id and e.partner_id = d.subject_id and e.kind = 'adjustment' and e.created_at = d.at
        and d.changes -> 'amount' ->> 'new' = e.amount::text)`,
}
