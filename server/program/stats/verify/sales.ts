import { currencyCodes, minorDigits } from '#contract/money.ts'
import { sql } from '../../../platform/database/sql.ts'
import { type Checks, shareSql } from './checks.ts'

/**
 * The loss of a sale: counted refunds and lost disputes, at most the amount paid; all of it when void or past the
 * recurring limit.
 */
export const losses = sql`
  select s.*, case when s.status = 'void' or s.past_limit then s.gross_amount else r.counted end as lost, r.counted, r.taken, r.open_dispute, r.lost_dispute
  from sales s cross join lateral (
    select least(s.gross_amount, coalesce(sum(amount) filter (
        where (kind = 'refund' and status in ('pending', 'succeeded')) or (kind = 'dispute' and status = 'succeeded')), 0)) as counted,
      coalesce(sum(account_amount - restored_amount), 0) as taken,
      coalesce(bool_or(kind = 'dispute' and status = 'pending'), false) as open_dispute,
      coalesce(bool_or(kind = 'dispute' and status = 'succeeded'), false) as lost_dispute
    from refunds where account_id = s.account_id and sale_id = s.id) r`

/** Scope in which external ids, customers and subscriptions are unique. */
const shop = sql`coalesce(s.told_by_shop_id::text, s.shop_id::text, s.provider)`

/** Decimal digits by currency. */
const digits = sql`unnest(${[...currencyCodes]}::text[], ${currencyCodes.map(minorDigits)}::integer[])`

/** Checks of a sale's own rows: its values, its refunds, its lead. */
export const saleChecks: Checks = {
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
      select id::text as subject, ${shareSql(sql`account_amount`, sql`counted`, sql`nullif(gross_amount, 0)`)}::text as expected, taken::text as actual
      from (${losses}) s where account_amount is not null and gross_amount > 0) s
    where expected <> actual`,

  "a sale counts in its account's currency, at its own rate": sql`
    select * from (
      select s.id::text as subject,
        case when s.currency = s.account_currency then s.amount
          else floor((2 * s.amount * s.fx_rate * 10::numeric ^ t.digits + 10::numeric ^ f.digits) / (2 * 10::numeric ^ f.digits))
        end || ' ' || a.default_currency || ' at ' || case when s.currency = s.account_currency then 1 else s.fx_rate end as expected,
        s.account_amount || ' ' || s.account_currency || ' at ' || s.fx_rate as actual
      from sales s join accounts a on a.id = s.account_id
        join ${digits} as f (currency, digits) on f.currency = s.currency
        join ${digits} as t (currency, digits) on t.currency = s.account_currency
      where s.account_amount is not null and not s.is_test) s
    where expected <> actual`,

  "a sale's rate is of a day that has one, its own or one of the seven before": sql`
    select s.id::text as subject, 'a rate of ' || s.currency || ' up to ' || s.sale_date as expected, s.fx_date::text as actual
    from sales s
    where s.account_amount is not null and not case
      when s.currency = s.account_currency then s.fx_date = s.sale_date
      else s.fx_date between s.sale_date - 7 and s.sale_date and (
        exists (select from account_exchange_rates r
          where r.account_id = s.account_id and r.currency = s.currency and r.date = s.fx_date)
        or ((s.currency = 'eur' or exists (select from euro_rates r where r.currency = s.currency and r.date = s.fx_date))
          and (s.account_currency = 'eur' or exists (
            select from euro_rates r where r.currency = s.account_currency and r.date = s.fx_date)))) end`,

  'a sale counts in the one currency of its account': sql`
    select s.id::text as subject, a.default_currency as expected, s.account_currency as actual
    from sales s join accounts a on a.id = s.account_id where s.account_currency <> a.default_currency and not s.is_test`,

  "a sale of test mode is nobody's and earns nothing": sql`
    select s.id::text as subject, 'nobody''s, of a shop of test mode' as expected,
      concat_ws(' ', coalesce(s.lead_id::text, 'no lead'), coalesce(s.partner_id::text, 'nobody'), h.livemode, e.amount) as actual
    from sales s
      left join provider_shops h on h.account_id = s.account_id and h.id = s.shop_id
      left join commission_entries e on e.account_id = s.account_id and s.id in (e.sale_id, e.settles_sale_id)
    where s.is_test and (h.livemode is distinct from false or e.id is not null
      or num_nonnulls(s.lead_id, s.partner_id, s.blueprint_id, s.credit) > 0)`,

  'the customer paid what the sale and its tax add up to': sql`
    select id::text as subject, (amount + tax_amount)::text as expected, gross_amount::text as actual
    from sales
    where case when provider in ('manual', 'api') then gross_amount <> amount + tax_amount else gross_amount < amount + tax_amount end`,

  'the sales of a lead are numbered from one': sql`
    select id::text as subject, place::text as expected, sequence::text as actual
    from (
      select id, sequence, row_number() over (partition by lead_id order by sequence) as place
      from sales where lead_id is not null) s
    where sequence <> place`,

  'only a sale of a lead has a partner': sql`
    select id::text as subject, 'nobody' as expected, partner_id::text as actual
    from sales where partner_id is not null and lead_id is null and status <> 'void'`,

  'a refund is told by who told of its sale': sql`
    select r.id::text as subject, coalesce(s.provider, 'a sale of its account') as expected, r.account_id || ' ' || r.provider as actual
    from refunds r left join sales s on s.account_id = r.account_id and s.id = r.sale_id
    where r.provider is distinct from s.provider`,

  'a sale has the amounts of its last correction': sql`
    select s.id::text as subject, concat_ws(' ', c.amount, c.tax_amount, c.gross_amount, c.account_amount) as expected,
      concat_ws(' ', s.amount, s.tax_amount, s.gross_amount, s.account_amount) as actual
    from sales s join lateral (
      select * from sale_corrections where account_id = s.account_id and sale_id = s.id order by id desc limit 1) c on true
    where (s.amount, s.tax_amount, s.gross_amount) <> (c.amount, c.tax_amount, c.gross_amount)`,

  'the lines of a sale are at most 50, each with its own id': sql`
    select id::text as subject, least(50, ids)::text as expected, jsonb_array_length(lines)::text as actual
    from sales cross join lateral (
      select count(distinct line ->> 'id') as ids from jsonb_array_elements(lines) as line) l
    where lines is not null and jsonb_array_length(lines) <> least(50, ids)`,

  'the lines of a sale from an own system add up to it': sql`
    select id::text as subject, amount::text as expected, sum::text as actual
    from sales s cross join lateral (
      select sum((line ->> 'amount')::bigint) from jsonb_array_elements(lines) as line) l
    where lines is not null and jsonb_array_length(lines) < 50 and sum <> amount
      and provider in ('api', 'incoming-webhook', 'manual') and told_by_shop_id is null`,

  'the lines that a refund names are at most the refund': sql`
    select id::text as subject, amount::text as expected, sum::text as actual
    from refunds cross join lateral (
      select sum((line ->> 'amount')::bigint), min((line ->> 'amount')::bigint) as least,
        count(distinct line ->> 'id') as ids
      from jsonb_array_elements(lines) as line) l
    where lines is not null and (sum > amount or least < 0 or ids <> jsonb_array_length(lines))`,

  'a refund counts on the days on which it moved revenue': sql`
    select id::text as subject, account_amount || ' taken, ' || restored_amount || ' restored' as expected,
      coalesce('taken on ' || counted_on, 'not taken') || ', ' || coalesce('restored on ' || restored_on, 'not restored') as actual
    from refunds
    where (counted_on is null and account_amount > 0) or (restored_on is null and restored_amount > 0)
      -- a correction of the sale may have left it nothing to take
      or (counted_on is not null and account_amount = 0 and restored_amount = 0
        and not exists (select from commission_entries e where e.account_id = refunds.account_id and e.refund_id = refunds.id)
        and not exists (select from sale_corrections c where c.account_id = refunds.account_id and c.sale_id = refunds.sale_id))
      or (restored_on is not null and restored_amount = 0
        and not exists (select from commission_entries e
          where e.account_id = refunds.account_id and e.refund_id = refunds.id and e.kind = 'restoration'))`,

  'a sale has the place among its customer’s sales that its rules ask for': sql`
    select s.id::text as subject, case when asks then place || ' since ' || since else 'none' end as expected,
      coalesce(customer_place || ' since ' || customer_since, 'none') as actual
    from (select *, coalesce(credit ? 'asksForPlace', false) as asks from sales) s left join (
      select account_id, id, row_number() over (partition by account_id, lead_id order by sale_date, external_id collate "C", id) as place,
        min(sale_date) over (partition by account_id, lead_id) as since
      from sales where credit is not null and credited and status <> 'void' and account_amount > 0) p
      on p.account_id = s.account_id and p.id = s.id
    where case when asks then p.id is not null and (customer_place, customer_since) is distinct from (place, since)
      else num_nonnulls(customer_place, customer_since) > 0 end`,

  // one that waited for an exchange rate may turn out to be worth nothing
  'only a sale of a partner is credited, by rates and a line': sql`
    select id::text as subject, 'rates, a partner and an amount' as expected,
      concat_ws(' ', credit::text, coalesce(partner_id::text, 'nobody'), account_amount) as actual
    from sales s
    where credit is not null and (partner_id is null or not (credit ? 'line' and credit ?| '{ratesPpm,number}') or (account_amount = 0 and currency = account_currency
      and not exists (select from sale_corrections c
        where c.account_id = s.account_id and c.sale_id = s.id and c.account_amount = 0)))`,

  'a credited sale keeps by what': sql`
    select id::text as subject, 'what it was credited with' as expected, 'nothing' as actual
    from sales
    where credit is null and partner_id is not null and account_amount > 0 and status <> 'void'`,

  'a fraud rule that saw something says what, and what became of it': sql`
    select id::text as subject, 'rule, policy and reason, or none of them' as expected,
      concat_ws(' ', coalesce(hold_rule, 'no rule'), hold_policy, 'credited ' || credited, 'until ' || held_until, hold_reason) as actual
    from sales
    where num_nonnulls(hold_rule, hold_policy, hold_reason) not in (0, 3)
      or credited <> (hold_policy is distinct from 'refuse') or (held_until is not null and hold_policy is distinct from 'hold')`,

  'a held sale has an open case, and an open case with a hold its held sale': sql`
    select s.id::text as subject, 'an open case' as expected, coalesce(c.decision, 'no case') as actual
    from sales s left join fraud_cases c on c.account_id = s.account_id and c.id = s.fraud_case_id
    where s.fraud_case_id is not null and (c.id is null or (s.held_until is not null and s.status <> 'void'
      and (c.decided_at is not null or c.held_until is distinct from s.held_until or s.id <> coalesce(c.sale_id, s.id)
        or s.fraud_case_id <> all(coalesce(s.held_by, array[s.fraud_case_id])))))
    union all
    select s.id::text, 'held until ' || coalesce(c.held_until::text, 'never'), 'until ' || coalesce(s.held_until::text, 'never')
    from sales s cross join unnest(s.held_by) as h (id)
      left join fraud_cases c on c.account_id = s.account_id and c.id = h.id and c.partner_id = s.partner_id
    where c.held_until is null or (s.status <> 'void' and c.decided_at is null and c.held_until > now()
      and (s.held_until is null or s.held_until < c.held_until))
    union all
    select c.id::text, 'held until ' || c.held_until, 'sale ' || s.status || ' until ' || coalesce(s.held_until::text, 'never')
    from fraud_cases c join sales s on s.account_id = c.account_id and s.id = c.sale_id
    where c.decided_at is null and c.held_until is not null
      and ((s.status = 'void' and s.held_until > now()) or s.held_until is distinct from c.held_until or s.fraud_case_id is distinct from c.id)
    union all
    select s.id::text, 'a case', 'none'
    from sales s
    where s.hold_rule is not null and s.hold_policy <> 'refuse' and s.fraud_case_id is null and s.status <> 'void'
      and s.held_until > now()`,

  'the recurring limit ends after its months': sql`
    with counted as (
      select account_id, subscription_id, lead_id, ${shop} as shop, sale_date as day from sales s
      where subscription_id is not null and credit is not null and account_amount > 0 and credited and status <> 'void'
    ), first as (
      select account_id, subscription_id, shop, min(day) as day from counted group by 1, 2, 3
    ), of_customer as (
      select account_id, subscription_id, lead_id, min(day) as day, min(day) filter (where shop = 'import') as imported
      from counted group by 1, 2, 3)
    select s.id::text as subject, coalesce(past, false)::text as expected, past_limit::text as actual
    from sales s
      left join first f on f.account_id = s.account_id and f.subscription_id = s.subscription_id and f.shop = ${shop}
      left join of_customer c
        on c.account_id = s.account_id and c.subscription_id = s.subscription_id and c.lead_id = s.lead_id
      cross join lateral (select least(f.day, case when ${shop} = 'import' then c.day else c.imported end) as day) d
      cross join lateral (select s.sale_date > d.day + make_interval(months => s.recurring_months) as past) l
    where (s.recurring_months is not null and (s.credit is null or s.subscription_id is null))
      or (s.past_limit and s.recurring_months is null)
      or (s.credit is not null and s.credited and s.status <> 'void' and s.account_amount is not null
        and s.past_limit <> coalesce(past, false))`,

  'a lead is won while it keeps a sale that was not given back': sql`
    select * from (
      select l.id::text as subject,
        case
          -- what was paid meanwhile is kept, and whoever opens the lead again says with a reason what it is
          when l.status = 'rejected' or (l.status <> 'won' and l.status_reason is not null) then l.status
          when s.paid then 'won' when l.status = 'won' and not s.taxed then 'not won' else l.status end as expected,
        l.status as actual
      from leads l cross join lateral (
        select coalesce(bool_or(amount > 0), false) as paid, count(*) > 0 as taxed from sales
        where account_id = l.account_id and lead_id = l.id and status <> 'void' and gross_amount > 0 and refunded_amount < gross_amount) s) l
    where expected <> actual`,
}
