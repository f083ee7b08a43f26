-- On a Citus cluster, a trigger runs on the machine of its account and may read only rows of that account, so each check
-- names it. Elsewhere the setting has no effect.
create or replace function check_reversals() returns trigger language plpgsql
set citus.allow_nested_distributed_execution = on as $$
declare
  earned bigint;
  net bigint;
begin
  select coalesce(sum(amount) filter (where kind = 'earned'), 0), coalesce(sum(amount), 0) into earned, net
  from commission_entries
  where account_id = new.account_id and sale_id = new.sale_id and partner_id = new.partner_id and layer = new.layer;
  if net < 0 or net > earned then
    raise exception 'entries of sale % would leave % of % earned', new.sale_id, net, earned using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- An approved payout is the sum of its live entries, all of them its own partner's.
create function check_payout_sum(account uuid, wanted uuid) returns void language plpgsql
set citus.allow_nested_distributed_execution = on as $$
declare
  payout payouts;
  bound bigint;
  foreign_entries integer;
begin
  select * into payout from payouts where account_id = account and id = wanted;
  if payout.status is null then return; end if;
  select coalesce(sum(e.amount), 0), count(*) filter (where e.partner_id <> payout.partner_id) into bound, foreign_entries
  from payout_entries pe join commission_entries e on e.id = pe.entry_id and e.account_id = pe.account_id
  where pe.account_id = account and pe.payout_id = wanted and pe.live;
  if foreign_entries > 0 then
    raise exception 'payout % holds entries of another partner', wanted using errcode = 'check_violation';
  end if;
  if payout.status in ('approved', 'processing', 'awaiting-funding', 'sent', 'paid', 'failed') and bound <> payout.amount then
    raise exception 'payout % is % but its entries sum to %', wanted, payout.amount, bound using errcode = 'check_violation';
  end if;
  if payout.status in ('gathering', 'canceled') and bound <> 0 then
    raise exception 'payout % holds entries though it is %', wanted, payout.status using errcode = 'check_violation';
  end if;
end $$;

create or replace function check_payout_row() returns trigger language plpgsql as $$
begin perform check_payout_sum(new.account_id, new.id); return null; end $$;

create or replace function check_payout_entries() returns trigger language plpgsql as $$
begin
  perform check_payout_sum(touched.account_id, touched.payout_id)
  from (select distinct account_id, payout_id from changed) touched;
  return null;
end $$;

drop function check_payout_sum(uuid);

create or replace function check_nothing_under_way() returns trigger language plpgsql
set citus.allow_nested_distributed_execution = on as $$
begin
  if exists (select from payouts where account_id = new.account_id and id = new.id and status in ('gathering', 'canceled'))
    and exists (
      select from payout_attempts where account_id = new.account_id and payout_id = new.id and stage <> 'over') then
    raise exception 'payout % may still have a transfer', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function keep_paid_on() returns trigger language plpgsql
set citus.allow_nested_distributed_execution = on as $$
begin
  if new.status in ('sent', 'paid') and new.paid_on is null then
    new.paid_on := (coalesce(new.sent_at, new.paid_at) at time zone (select time_zone from accounts where id = new.account_id))::date;
  end if;
  return new;
end $$;

-- A table on a worker has a number after its name.
create or replace function refuse_event_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    raise exception 'events are append-only: they are never emptied' using errcode = 'restrict_violation';
  elsif tg_op = 'DELETE' then
    if starts_with(tg_table_name, 'passing_events')
      or (starts_with(tg_table_name, 'events_first') and not (old.audited or old.subject_type is not distinct from 'lead')) then
      return old;
    end if;
    raise exception 'events are append-only: this one is shown to people' using errcode = 'restrict_violation';
  elsif starts_with(tg_table_name, 'events_first') and to_jsonb(new) - 'data' = to_jsonb(old) - 'data'
    and new.data = old.data - 'object' then
    return new;
  end if;
  raise exception 'events are append-only: they are never edited' using errcode = 'restrict_violation';
end $$;

-- These served release 0.1.0, which knew no shops.
drop trigger shop_of_sale on sales;
drop trigger shops_of_customer on lead_customers;
drop function shop_of_sale();
drop function shops_of_customer();
