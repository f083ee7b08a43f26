-- Events lie in tables by month, as clicks do, and in two kinds of them. `events` is what people are shown: it stays, and
-- so holds no objects. `passing_events` is what is relayed, with the object as it was then: its months are dropped once
-- they are old. Public events that are shown have a row in both, by the same id.

-- The table of one month, with the rights and rules of the whole.
create function make_month(whole text, start timestamptz) returns void
language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  made constant text := whole || to_char(start, '_YYYY_MM');
  other constant text := whole || '_other';
  since constant uuid := first_id_at(start);
  until constant uuid := first_id_at(start + interval '1 month');
  statement text;
begin
  execute format('create table %I (like %I including defaults including constraints)', made, whole);
  -- what is only put where it belongs is no change
  execute format('alter table %I disable trigger user', other);
  execute format('with moved as (delete from %I where id >= %L and id < %L returning *) insert into %I select * from moved',
    other, since, until, made);
  execute format('alter table %I enable trigger user', other);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', whole, made, since, until);
  for statement in
    select format('revoke %s on %I from %s', privilege_type, made, grantee::regrole) from (
      select grantee, privilege_type from pg_class, aclexplode(relacl) where oid = to_regclass(made) and grantee <> relowner
      except select grantee, privilege_type from pg_class, aclexplode(relacl) where oid = to_regclass(whole)) surplus
  loop
    execute statement;
  end loop;
end $$;

-- Makes the tables of this month and the next two, and drops those whose rows are all older than `too_old`, but none of
-- what people are shown and none that something still refers to. The product serves as a role that may not do this itself.
-- Both wait for a moment only, as others wait behind them: an hour later is as good.
create function renew_months(of text, now timestamptz, too_old timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '250ms' as $$
declare
  start timestamptz;
  past text;
begin
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

  for past in
    select name from months m
    where whole = of and of <> 'events' and until <= first_id_at(too_old) and not (of = 'passing_events' and (
      exists (select from event_relays where event_id >= m.since and event_id < m.until)
      or exists (select from outgoing_deliveries where event_id >= m.since and event_id < m.until)))
  loop
    execute format('drop table %I', past);
  end loop;
exception when lock_not_available then
  raise notice 'the months of % are renewed another time', of;
end $$;

drop function renew_click_months(timestamptz, timestamptz);
drop view click_months;

-- An event stays as it was written. In `events_first`, from before there were months, the objects of those that are shown
-- go with time, and the others whole.
create or replace function refuse_event_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    raise exception 'events are append-only: they are never emptied' using errcode = 'restrict_violation';
  elsif tg_op = 'DELETE' then
    if starts_with(tg_table_name, 'passing_events')
      or (tg_table_name = 'events_first' and not (old.audited or old.subject_type is not distinct from 'lead')) then
      return old;
    end if;
    raise exception 'events are append-only: this one is shown to people' using errcode = 'restrict_violation';
  elsif tg_table_name = 'events_first' and to_jsonb(new) - 'data' = to_jsonb(old) - 'data'
    and new.data = old.data - 'object' then
    return new;
  end if;
  raise exception 'events are append-only: they are never edited' using errcode = 'restrict_violation';
end $$;

drop trigger append_only on events;
drop trigger append_only_table on events;
alter table events rename to events_first;
alter table events_first rename constraint events_pkey to events_first_pkey;
alter index events_audited rename to events_first_audited;
alter index events_by_actor rename to events_first_by_actor;
alter index events_by_subject rename to events_first_by_subject;
alter index events_of_leads rename to events_first_of_leads;
drop index events_by_age;
create index events_first_to_forget on events_first (at)
  where kind <> 'recorded' and (data ? 'object' or not (audited or subject_type is not distinct from 'lead'));

create table events (like events_first including defaults including constraints) partition by range (id);
alter table events add primary key (id, account_id);
create index events_audited on events (account_id, at, id) where audited;
create index events_by_actor on events (account_id, actor_id, at, id) where audited;
create index events_by_subject on events (account_id, subject_id, at, id) where audited;
create index events_of_leads on events (subject_id, at, id) where subject_type = 'lead';
create table events_other partition of events default;
create trigger append_only_table before truncate on events for each statement execute function refuse_event_change();

create table passing_events (like events_first including defaults including constraints, check (kind <> 'recorded'))
  partition by range (id);
alter table passing_events add primary key (id, account_id);
create table passing_events_other partition of passing_events default;
create trigger append_only_table before truncate on passing_events
  for each statement execute function refuse_event_change();

-- The ids of a clock that is ahead.
with ahead as (
  delete from events_first where id >= first_id_at(date_trunc('month', now(), 'UTC') + interval '1 month') returning *
), passing as (
  insert into passing_events select * from ahead where kind <> 'recorded'
)
insert into events (id, account_id, at, type, kind, audited, actor_type, actor_id, network, request_id, subject_type,
  subject_id, data)
select id, account_id, at, type, kind, audited, actor_type, actor_id, network, request_id, subject_type, subject_id,
  data - 'object'
from ahead where audited or kind = 'recorded' or subject_type = 'lead';

create trigger append_only before update or delete on events for each row execute function refuse_event_change();
create trigger append_only before update or delete on passing_events
  for each row execute function refuse_event_change();

do $$
begin
  execute format('alter table events attach partition events_first for values from (minvalue) to (%L)',
    first_id_at(date_trunc('month', now(), 'UTC') + interval '1 month'));
end $$;

create view months as
  select i.inhparent::regclass::text as whole, c.relname::text as name, m.since, m.until
  from pg_inherits i join pg_class c on c.oid = i.inhrelid,
    -- PostgreSQL may read the bounds of every partition there is, also those of the queue, which are times
    lateral (select
      substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \(''([0-9a-f-]{36})''\)')::uuid as since,
      substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([0-9a-f-]{36})''\)')::uuid as until) m
  where i.inhparent in ('clicks'::regclass, 'events'::regclass, 'passing_events'::regclass);

-- As they were told, with their objects: also those from before there were months.
create view told_events as
  select * from passing_events
  union all
  select * from events_first where data ? 'object' or kind = 'internal';

create or replace view audit as
select e.id, e.account_id, e.at, e.actor_type, e.actor_id, e.type as action, e.subject_type, e.subject_id,
  coalesce(e.data -> 'changes', '{}') as changes, e.network, e.request_id,
  coalesce((select coalesce(t.data -> 'object' ->> 'displayName', t.data -> 'object' ->> 'name',
    t.data -> 'object' ->> 'accountName') from told_events t where t.account_id = e.account_id and t.id = e.id),
    e.data -> 'changes' -> 'name' ->> 'new') as told_name,
  (select t.data -> 'object' ->> 'currency' from told_events t where t.account_id = e.account_id and t.id = e.id) as currency
from events e where e.audited;

-- Ageing of what no month is dropped with, with the rights of the owner: the role that the product serves as may only read
-- events and add to them.
create or replace function forget_events(before timestamptz, most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids uuid[];
  passed integer;
begin
  select array_agg(id) into ids from (
    select e.id from events_first e
    where e.kind <> 'recorded' and (e.data ? 'object' or not (e.audited or e.subject_type is not distinct from 'lead'))
      and e.at < before and not exists (select from event_relays r where r.event_id = e.id)
    order by e.at limit most) old;
  update events_first set data = data - 'object' where id = any(ids) and (audited or subject_type = 'lead');
  delete from events_first where id = any(ids) and not (audited or subject_type is not distinct from 'lead');

  delete from passing_events_other where id = any(array(
    select p.id from passing_events_other p
    where p.at < before and not exists (select from event_relays r where r.event_id = p.id)
      and not exists (select from outgoing_deliveries d where d.event_id = p.id)
    limit most));
  get diagnostics passed = row_count;
  return greatest(coalesce(cardinality(ids), 0), passed);
end $$;

select renew_months('clicks', now(), null), renew_months('events', now(), null),
  renew_months('passing_events', now(), now() - interval '90 days');
