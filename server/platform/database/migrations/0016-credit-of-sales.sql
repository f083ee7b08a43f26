-- What a sale was credited by, as it stood then: {"ratesPpm": [...], "source": "partner"|"link"|"account",
-- "line": [{"partnerId", "earns"}]}, the referrer first. Null while there is nothing to book: no partner, no exchange rate.
alter table sales add column credit jsonb;
-- of a subscription's payment: the account's months when it was credited; null: no end
alter table sales add column recurring_months integer check (recurring_months >= 1);
-- its date lies beyond those months after the subscription's first credited payment: it earns nothing
alter table sales add column past_limit boolean not null default false;
-- what the account's policy made of the fraud rule, and what the rule saw
alter table sales add column hold_policy text check (hold_policy in ('flag', 'hold', 'refuse'));
alter table sales add column hold_reason text;

update sales s set
  hold_policy = case
    when not credited then 'refuse'
    when held_until is not null then 'hold'
    when exists (select from audit a where a.account_id = s.account_id and a.subject_id = s.id and a.action = 'sale.released')
      then 'hold'
    else 'flag' end,
  hold_reason = 'The customer''s email is the referring partner''s own.'
where hold_rule is not null;

-- Of older sales the entries tell the rates; a layer without an entry earned nothing, as with rate 0. Whose rates they
-- were is what the rates of today still show, else it is not known.
with earned as (
  select sale_id, layer, partner_id, rate_ppm from commission_entries where kind = 'earned'
), booked as (
  select e.sale_id, jsonb_agg(coalesce(at.rate_ppm, 0) order by l.layer) as rates,
    jsonb_agg(jsonb_build_object('partnerId', at.partner_id, 'earns', at.partner_id is not null) order by l.layer) as line
  from (select sale_id, max(layer) as deepest from earned group by sale_id) e
    cross join lateral generate_series(0, e.deepest) as l (layer)
    left join earned at on at.sale_id = e.sale_id and at.layer = l.layer
  group by e.sale_id
), settings as (
  select s.id as sale_id, t.source, t.place, t.rates
  from sales s
    join accounts a on a.id = s.account_id
    left join partners p on p.id = s.partner_id
    left join link_blueprints b on b.id = s.blueprint_id
    cross join lateral (values ('partner', 1, p.layer_rates_ppm), ('link', 2, b.layer_rates_ppm), ('account', 3, a.layer_rates_ppm))
      as t (source, place, rates)
  where t.rates is not null
)
update sales s set credit = jsonb_build_object('ratesPpm', b.rates, 'line', b.line, 'source', (
  select t.source from settings t
  where t.sale_id = s.id and not exists (
    select from earned e where e.sale_id = s.id and e.rate_ppm is distinct from t.rates[e.layer + 1])
  order by t.place limit 1))
from booked b where b.sale_id = s.id;

-- An entry that corrects another because a payment of the same subscription came or went, which moved the recurring
-- limit, names that payment: so each such move writes one row per partner and layer.
alter table commission_entries add column limit_sale_id uuid;
alter table commission_entries add foreign key (account_id, limit_sale_id) references sales (account_id, id);
drop index commission_entries_once;
create unique index commission_entries_once on commission_entries
  (account_id, sale_id, coalesce(refund_id, correction_id, limit_sale_id, sale_id), partner_id, layer, kind) where sale_id is not null;

-- A rate entered by hand is one of two currencies. What the account's was when it was entered, its record tells.
alter table account_exchange_rates add column account_currency text;
update account_exchange_rates r set account_currency = coalesce(
  (select u.changes->'defaultCurrency'->>'old' from audit u
    where u.account_id = r.account_id and u.action = 'account.changed' and u.changes ? 'defaultCurrency' and u.at > r.created_at
    order by u.at, u.id limit 1),
  (select a.default_currency from accounts a where a.id = r.account_id));
alter table account_exchange_rates alter column account_currency set not null;

-- Amounts of these currencies were kept in whole units (of iqd, too), as the runtime's own data counts them. From now on
-- they are kept in the units of ISO 4217, so every amount that stands here is written in those.
alter table sales drop constraint sales_amount_check;
alter table sales drop constraint sales_check;
alter table sales add constraint sales_amount_check check (amount between 0 and 1000000000000000);
alter table sales add constraint sales_gross_amount_check check (gross_amount between amount and 2000000000000000);
create temporary table finer (currency text primary key, factor bigint not null) on commit drop;
insert into finer
select code, 100 from unnest('{afn,all,cop,huf,idr,irr,kpw,lak,lbp,mga,mmk,pkr,sll,sos,syp,yer}'::text[]) as code
union all select 'iqd', 1000;

update sales s set amount = amount * f.factor, tax_amount = tax_amount * f.factor, gross_amount = gross_amount * f.factor,
  refunded_amount = refunded_amount * f.factor
from finer f where f.currency = s.currency;
update refunds r set amount = r.amount * f.factor
from sales s join finer f on f.currency = s.currency where s.id = r.sale_id;
update sales s set account_amount = account_amount * f.factor
from finer f where f.currency = s.account_currency and account_amount is not null;
update refunds r set account_amount = r.account_amount * f.factor, restored_amount = restored_amount * f.factor
from sales s join finer f on f.currency = s.account_currency where s.id = r.sale_id;
alter table commission_entries disable trigger append_only;
update commission_entries e set amount = amount * f.factor, base_amount = base_amount * f.factor
from finer f where f.currency = e.currency;
update payouts p set amount = amount * f.factor from finer f where f.currency = p.currency and amount is not null;
update payout_attempts t set fee = t.fee * f.factor
from payouts p join finer f on f.currency = p.currency where p.id = t.payout_id and t.fee is not null;
alter table payout_attempts disable trigger user;
update payout_attempts t set amount = t.amount * f.factor from finer f where f.currency = t.currency;
alter table payout_attempts enable trigger user;
update accounts a set minimum_payout = least(minimum_payout * f.factor, 1000000000000)
from finer f where f.currency = a.default_currency;
update payout_accounts p set max_per_payout = max_per_payout * f.factor, max_per_run = max_per_run * f.factor
from accounts a join finer f on f.currency = a.default_currency where a.id = p.account_id;
update day_stats t set revenue = revenue * f.factor, share = share * f.factor
from accounts a join finer f on f.currency = a.default_currency where a.id = t.account_id;
update total_stats t set revenue = revenue * f.factor, share = share * f.factor
from accounts a join finer f on f.currency = a.default_currency where a.id = t.account_id;
update lead_stats t set revenue = revenue * f.factor, share = share * f.factor
from accounts a join finer f on f.currency = a.default_currency where a.id = t.account_id;
-- the deferred checks look now: the table cannot be altered while they wait
set constraints all immediate;
alter table commission_entries enable trigger append_only;
set constraints all deferred;
