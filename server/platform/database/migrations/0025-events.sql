-- What happens is written once, into `events`: public ones with the object as it was then, recorded ones that only the
-- activity shows, internal ones that the product itself follows up. The audit, the timelines of leads, mails and
-- webhooks read them. (Unreleased: the tables that told it before go in the same step.)
create table events (
  id uuid primary key,
  account_id uuid references accounts (id),
  at timestamptz(3) not null,
  type text not null,
  kind text not null check (kind in ('public', 'recorded', 'internal')),
  audited boolean not null,
  actor_type text not null check (actor_type in ('user', 'api-key', 'system')),
  actor_id uuid,
  network text,
  request_id text,
  subject_type text,
  subject_id uuid,
  -- public: {object, changes?, lines?}; recorded: {changes?, lines?}; internal: ids
  data jsonb not null,
  check (kind = 'internal' or subject_type is not null),
  check (kind <> 'public' or account_id is not null)
);
create index events_audited on events (account_id, at, id) where audited;
create index events_of_leads on events (subject_id, at, id) where subject_type = 'lead';
create index events_by_age on events (at) where kind <> 'recorded';

-- Those that have still to be relayed; the row goes when that is done. What fails too often is parked.
create table event_relays (
  position bigint generated always as identity primary key,
  event_id uuid not null unique references events (id),
  tries smallint not null default 0,
  next_at timestamptz(3) not null default '-infinity',
  error text,
  parked_at timestamptz(3)
);

-- An event stays as it was written: with time its object may go, and what nobody is shown may go whole.
create function refuse_event_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    raise exception 'events are append-only: they are never emptied' using errcode = 'restrict_violation';
  elsif tg_op = 'DELETE' then
    if old.audited or old.subject_type is not distinct from 'lead' then
      raise exception 'events are append-only: this one is shown to people' using errcode = 'restrict_violation';
    end if;
    return old;
  elsif to_jsonb(new) - 'data' <> to_jsonb(old) - 'data' or new.data <> old.data - 'object' then
    raise exception 'events are append-only: they are never edited' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
-- Ageing, with the rights of the owner: the role that the product serves as may only read events and add to them.
create function forget_events(before timestamptz, most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  ids uuid[];
begin
  select array_agg(id) into ids from (
    select e.id from events e
    where e.kind <> 'recorded' and e.at < before
      and (e.data ? 'object' or not (e.audited or e.subject_type is not distinct from 'lead'))
      and not exists (select from event_relays r where r.event_id = e.id)
    order by e.at limit most) old;
  update events set data = data - 'object' where id = any(ids) and (audited or subject_type = 'lead');
  delete from events where id = any(ids) and not (audited or subject_type is not distinct from 'lead');
  return coalesce(array_length(ids, 1), 0);
end $$;

create trigger append_only before update or delete on events for each row execute function refuse_event_change();
create trigger append_only_table before truncate on events for each statement execute function refuse_event_change();

insert into events (id, account_id, at, type, kind, audited, actor_type, actor_id, network, request_id, subject_type,
  subject_id, data)
select id, account_id, at, case action
    when 'account.changed' then 'account.updated' when 'account.auto-payouts-changed' then 'account.auto-payouts-updated'
    when 'partner.changed' then 'partner.updated' when 'partner.archived' then 'partner.updated'
    when 'lead.changed' then 'lead.updated' when 'link-blueprint.changed' then 'link-blueprint.updated'
    when 'embed-code.changed' then 'embed-code.updated' when 'payout.marked-paid' then 'payout.paid'
    when 'sale.recorded' then 'sale.created' when 'sale.described' then 'sale.updated'
    when 'sale.released' then 'sale.updated' when 'sale.attributed' then 'sale.updated' else action end,
  'recorded', true, actor_type, actor_id, network, request_id, subject_type, subject_id,
  jsonb_build_object('changes', changes)
from audit;

insert into events (id, account_id, at, type, kind, audited, actor_type, actor_id, subject_type, subject_id, data)
select id, account_id, at, 'lead.updated', 'recorded', false,
  case when actor is null or actor = 'system' then 'system' else split_part(actor, ':', 1) end,
  case when strpos(actor, ':') > 0 then split_part(actor, ':', 2)::uuid end,
  'lead', lead_id, jsonb_build_object('lines', jsonb_build_array(jsonb_build_object('type', type, 'text', text, 'shared', shared)))
from lead_events;

-- The e-mails a partner had before: who takes an account over changes the address first, so changed payout details are
-- told to these too, for three days.
create table former_emails (
  partner_id uuid not null references partners (id) on delete cascade,
  email text not null,
  until timestamptz(3) not null
);
create index former_emails_by_partner on former_emails (partner_id, until);
insert into former_emails (partner_id, email, until)
select a.subject_id, a.changes -> 'email' ->> 'old', a.at
from audit a join partners p on p.id = a.subject_id
where a.subject_type = 'partner' and a.action = 'partner.changed' and a.changes -> 'email' ->> 'old' is not null
  and a.at > now() - interval '4 days';

-- Of what was still to be relayed only the mails matter: nobody else listened.
with pending as (
  insert into events (id, account_id, at, type, kind, audited, actor_type, data)
  select gen_random_uuid(), account_id, at,
    case type when 'partner.payout-settings-updated' then 'payout-details.changed' else type end,
    'internal', false, 'system', data - 'recipients' - 'object' from outbox
  where type in ('invitation.requested', 'password.reset-requested', 'password.changed', 'session.reused')
    or (type = 'partner.payout-settings-updated' and data -> 'recipients' <> '[]')
  order by outbox.id returning id
)
insert into event_relays (event_id) select id from pending;

drop table outbox, lead_events, audit;

/* The activity of accounts and of the install. */
create view audit as
select id, account_id, at, actor_type, actor_id, type as action, subject_type, subject_id,
  coalesce(data -> 'changes', '{}') as changes, network, request_id
from events where audited;
