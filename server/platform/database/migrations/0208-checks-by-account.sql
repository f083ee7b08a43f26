-- On a Citus cluster, a trigger runs on the machine of its account and may read only rows of that account, so each check
-- names it. Elsewhere the setting has no effect.
create or replace function check_reversals() returns trigger language plpgsql as $$
declare
  earned bigint;
  net bigint;
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  select coalesce(sum(amount) filter (where kind = 'earned'), 0), coalesce(sum(amount), 0) into earned, net
  from commission_entries
  where account_id = new.account_id and sale_id = new.sale_id and partner_id = new.partner_id and layer = new.layer;
  if net < 0 or net > earned then
    raise exception 'entries of sale % would leave % of % earned', new.sale_id, net, earned using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- An approved payout is the sum of its live entries, all of them its own partner's.
create function check_payout_sum(account uuid, wanted uuid) returns void language plpgsql as $$
declare
  payout payouts;
  bound bigint;
  foreign_entries integer;
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
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

create or replace function check_nothing_under_way() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if exists (select from payouts where account_id = new.account_id and id = new.id and status in ('gathering', 'canceled'))
    and exists (
      select from payout_attempts where account_id = new.account_id and payout_id = new.id and stage <> 'over') then
    raise exception 'payout % may still have a transfer', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function keep_paid_on() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
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

-- A cluster joins no table of the first machine with those of accounts, so what still waits there is read first.
create or replace function forget_events(before timestamptz, most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  waiting constant uuid[] := array(select event_id from event_relays);
  ids uuid[];
  passed integer;
begin
  select array_agg(id) into ids from (
    select e.id from events_first e
    where e.kind <> 'recorded' and (e.data ? 'object' or not (e.audited or e.subject_type is not distinct from 'lead'))
      and e.at < before and e.id <> all(waiting)
    order by e.at limit most) old;
  update events_first set data = data - 'object' where id = any(ids) and (audited or subject_type = 'lead');
  delete from events_first where id = any(ids) and not (audited or subject_type is not distinct from 'lead');

  delete from passing_events_other where id = any(array(
    select p.id from passing_events_other p
    where p.at < before and p.id <> all(waiting)
      and not exists (select from outgoing_deliveries d where d.account_id = p.account_id and d.event_id = p.id)
    limit most));
  get diagnostics passed = row_count;
  return greatest(coalesce(cardinality(ids), 0), passed);
end $$;

-- The table of one month, with the rights and rules of the whole. What came before its table is in `_other`: it is moved,
-- except on a cluster, where no trigger can be disabled and that month stays there.
create or replace function make_month(whole text, start timestamptz) returns void
language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  made constant text := whole || to_char(start, '_YYYY_MM');
  other constant text := whole || '_other';
  since constant uuid := first_id_at(start);
  until constant uuid := first_id_at(start + interval '1 month');
  holds_rows boolean;
  statement text;
begin
  execute format('select exists (select 1 from %I where id >= %L and id < %L)', other, since, until) into holds_rows;
  if holds_rows and exists (select from pg_extension where extname = 'citus') then return; end if;
  execute format('create table %I (like %I including defaults including constraints)', made, whole);
  if holds_rows then
    -- what is only put where it belongs is no change
    execute format('alter table %I disable trigger user', other);
    execute format('with moved as (delete from %I where id >= %L and id < %L returning *) insert into %I select * from moved',
      other, since, until, made);
    execute format('alter table %I enable trigger user', other);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', whole, made, since, until);
  for statement in
    select format('revoke %s on %I from %s', privilege_type, made, grantee::regrole) from (
      select grantee, privilege_type from pg_class, aclexplode(relacl) where oid = to_regclass(made) and grantee <> relowner
      except select grantee, privilege_type from pg_class, aclexplode(relacl) where oid = to_regclass(whole)) surplus
  loop
    execute statement;
  end loop;
end $$;

create or replace function renew_months(of text, now timestamptz, too_old timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '250ms' as $$
declare
  start timestamptz;
  past record;
begin
  perform set_config('citus.enable_unsafe_triggers', 'on', true);
  if of not in (select whole from months) or not has_table_privilege(session_user, of, 'insert') then
    raise insufficient_privilege using message = 'only who may write a table by month may renew its months';
  end if;
  perform pg_advisory_xact_lock(7281956);

  select coalesce(max(time_of_id(until)), date_trunc('month', coalesce(too_old, now))) into start
  from months where whole = of;
  while start < date_trunc('month', now) + interval '3 months' loop
    perform make_month(of, start);
    start := start + interval '1 month';
  end loop;

  for past in select name, since, until from months where whole = of and of <> 'events' and until <= first_id_at(too_old) loop
    continue when of = 'passing_events' and (
      exists (select 1 from event_relays where event_id >= past.since and event_id < past.until)
      or exists (select 1 from outgoing_deliveries where event_id >= past.since and event_id < past.until));
    execute format('drop table %I', past.name);
  end loop;
exception when lock_not_available then
  raise notice 'the months of % are renewed another time', of;
end $$;

-- For migrations: on a spread install, places a new table with its account. Elsewhere it does nothing.
create function place_with_account(new_table text) returns void language plpgsql as $$
begin
  if not exists (select from pg_extension where extname = 'citus') then return; end if;
  if exists (select from pg_dist_partition where logicalrelid = 'partners'::regclass) then
    perform create_distributed_table(new_table, 'account_id', colocate_with => 'partners');
  end if;
end $$;
