-- Clicks lie in a table for each month of their ids, which are UUIDv7: what is written and looked up stays in a few small
-- indexes, and a month that is too old is dropped. Beside the months `clicks_first` holds what came before there were any,
-- and `clicks_other` what no month is there for, such as the ids of a clock that is ahead.

-- The least id of a moment.
create function first_id_at(at timestamptz) returns uuid language sql immutable
  return (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- The moment of an id, to the millisecond.
create function time_of_id(id uuid) returns timestamptz language sql immutable
  return to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0);

alter table clicks rename to clicks_first;
alter table clicks_first rename constraint clicks_pkey to clicks_first_pkey;
alter index clicks_by_visitor rename to clicks_first_by_visitor;
-- what is too old is still looked for there row by row
alter index clicks_by_age rename to clicks_first_by_age;

create table clicks (like clicks_first including defaults including constraints) partition by range (id);
alter table clicks add primary key (id);
-- the once-an-hour look-up of is_unique
create index clicks_by_visitor on clicks ((ip_hash # uuid_hash_extended(partner_id, 0))) where is_unique;
create table clicks_other partition of clicks default;

with moved as (
  delete from clicks_first where id >= first_id_at(date_trunc('month', now(), 'UTC') + interval '1 month') returning *
) insert into clicks_other select * from moved;

do $$
begin
  execute format('alter table clicks attach partition clicks_first for values from (minvalue) to (%L)',
    first_id_at(date_trunc('month', now(), 'UTC') + interval '1 month'));
end $$;

create view click_months as
  select c.relname::text as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''\)')::uuid as until
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'clicks'::regclass;

-- Makes the tables of this month and the next two, and drops those whose clicks all came before `too_old`. The product
-- serves as a role that may not do this itself. Both wait for a moment only, as clicks wait behind them: an hour later is
-- as good.
create function renew_click_months(now timestamptz, too_old timestamptz) returns void
language plpgsql security definer set search_path from current set lock_timeout = '250ms' as $$
declare
  home constant text := quote_ident(current_schema());
  start timestamptz;
  made text;
  past text;
begin
  if not has_table_privilege(session_user, home || '.clicks', 'delete') then
    raise insufficient_privilege using message = 'only who may delete clicks may drop their months';
  end if;
  perform pg_advisory_xact_lock(7281956);

  execute format('select max(time_of_id(until)) from %s.click_months', home) into start;
  while start < date_trunc('month', now, 'UTC') + interval '3 months' loop
    made := format('%s.%I', home, 'clicks_' || to_char(start at time zone 'UTC', 'YYYY_MM'));
    execute format('create table %s (like %s.clicks including defaults including constraints)', made, home);
    execute format('with moved as (delete from %1$s.clicks_other where id >= %2$L and id < %3$L returning *)
      insert into %4$s select * from moved', home, first_id_at(start), first_id_at(start + interval '1 month'), made);
    execute format('alter table %s.clicks attach partition %s for values from (%L) to (%L)', home, made,
      first_id_at(start), first_id_at(start + interval '1 month'));
    start := start + interval '1 month';
  end loop;

  for past in execute format('select name from %s.click_months where until <= %L', home, first_id_at(too_old)) loop
    execute format('drop table %s.%I', home, past);
  end loop;
exception when lock_not_available then
  raise notice 'the months of clicks are renewed another time';
end $$;

select renew_click_months(now(), null);
