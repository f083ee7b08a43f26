-- Erased persons: every personal column of theirs is empty, and stays so. Rows, ids and figures stay.
create table erasures (
  id uuid not null,
  account_id uuid not null,
  subject_type text not null check (subject_type in ('lead', 'partner')),
  subject_id uuid not null,
  -- the subject, and the leads that are the same person
  subject_ids uuid[] not null,
  at timestamptz(3) not null,
  -- null: by the account's retention
  by text,
  reason text not null check (reason in ('asked', 'retention')),
  -- rows emptied, by table
  counts jsonb not null default '{}',
  records_until date,
  backups_until date,
  -- the values by which raw copies are found, until none is left
  search_sealed bytea,
  done boolean not null default false,
  primary key (id, account_id),
  check (subject_id = any(subject_ids)),
  check (done = (search_sealed is null)),
  check ((by is null) = (reason = 'retention'))
);
create unique index erasures_of_subject on erasures (account_id, subject_id);
create index erasures_by_time on erasures (account_id, at, id);
select place_with_account('erasures');
alter table erasures add foreign key (account_id) references accounts;

alter table leads add column erased_at timestamptz(3);
alter table partners add column erased_at timestamptz(3);
alter table users add column erased_at timestamptz(3);

-- Empties what an event says about the person of a lead or partner, and keeps the rest. A name is replaced, because
-- receivers rely on one.
create function emptied(data jsonb, person text) returns jsonb immutable language plpgsql as $$
declare
  personal constant text[] := case person
    when 'lead' then array['firstName', 'lastName', 'email', 'phone', 'company', 'statusReason', 'sharedNote', 'note',
      'landingUrl', 'referrer', 'payerEmail', 'description', 'voidReason', 'reason', 'metadata', 'blocked']
    else array['firstName', 'lastName', 'email', 'referralCode', 'note', 'reason', 'taxForm', 'promotionCode', 'stateReason']
  end;
begin
  if jsonb_typeof(data) = 'array' then
    return coalesce((select jsonb_agg(emptied(one, person) order by place)
      from jsonb_array_elements(data) with ordinality as a (one, place)), data);
  elsif jsonb_typeof(data) <> 'object' then
    return data;
  end if;
  return coalesce((select jsonb_object_agg(key, case
      when jsonb_typeof(value) = 'null' then value
      when key = any(personal) and value ?& array['old', 'new'] then '{"old": null, "new": null}'
      -- an adjustment's reason is a person's
      when person = 'partner' and key = 'reason' and data ->> 'kind' = 'adjustment' then 'null'::jsonb
      -- of a partner, only in their own object
      when person = 'partner' and key = any(personal) and not data ? 'referralCode' then value
      when key = any(personal) then case when key = 'metadata' then '{}'::jsonb else 'null'::jsonb end
      when key = 'externalId' and person = 'lead' then case
        when value ?& array['old', 'new'] then '{"old": null, "new": null}'
        when data ? 'duplicateOfId' then 'null'::jsonb
        else value end
      when key = 'leadName' and person = 'lead' then '"Erased lead"'
      when key = 'displayName' and person = 'lead' and data ? 'duplicateOfId' then '"Erased lead"'
      when key = 'partnerName' and person = 'partner' then '"Erased partner"'
      when key = 'displayName' and person = 'partner' and data ? 'referralCode' then '"Erased partner"'
      when key = 'text' and data ->> 'type' = 'note' then '""'::jsonb
      else emptied(value, person) end)
    from jsonb_each(data)), data);
end $$;

-- A provider's object without what it says of the payer: the ids of payment, customer and subscription stay, because a
-- later refund must find its sale.
create function without_payer(data jsonb) returns jsonb immutable language sql as $$
  select coalesce((select jsonb_object_agg(key, case
      when key in ('email', 'name', 'reason', 'description') then 'null'::jsonb
      when key = 'references' then '[]'::jsonb
      else value end)
    from jsonb_each(data)), data)
$$;

-- The list of what a row of an import made, without the values that it replaced.
create function without_changes(made jsonb) returns jsonb immutable language sql as $$
  select coalesce((select jsonb_agg(case when one ? 'changed' then one || '{"changed": {}}' else one end order by place)
    from jsonb_array_elements(made) with ordinality as a (one, place)), made)
$$;

-- A reason that a person typed may become empty, all else equal; nothing is ever written.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if to_jsonb(old) ? 'reason' and to_jsonb(new) = to_jsonb(old) || '{"reason": null}' then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- An event may lose what it says about a person; nothing else changes. On a worker, a table's name ends in a number.
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
  elsif to_jsonb(new) - 'data' = to_jsonb(old) - 'data' and (
    (starts_with(tg_table_name, 'events_first') and new.data = old.data - 'object')
      or new.data in (emptied(old.data, 'lead'), emptied(old.data, 'partner'))) then
    return new;
  end if;
  raise exception 'events are append-only: they are never edited' using errcode = 'restrict_violation';
end $$;

-- A credit without the facts of its lead that rules asked for.
create function without_facts(credit jsonb) returns jsonb immutable language sql as $$
  select coalesce((select jsonb_object_agg(key, case
      when key = 'lead' and value ? 'metadata' then value || '{"metadata": {}}'
      when value #> '{lead,metadata}' is not null then jsonb_set(value, '{lead,metadata}', '{}')
      else value end)
    from jsonb_each(credit)), credit)
$$;

-- Later data about an erased lead is booked, and its personal columns are emptied on arrival.
create function lead_stays_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if tg_op = 'INSERT' and new.erased_at is null then
    new.erased_at := (select min(at) from erasures where account_id = new.account_id and new.id = any(subject_ids));
  end if;
  if new.erased_at is not null then
    new.first_name := null;
    new.last_name := null;
    new.email := null;
    new.phone := null;
    new.phone_e164 := null;
    new.company := null;
    new.external_id := null;
    new.status_reason := null;
    new.status_note := null;
    new.shared_note := null;
    new.landing_url := null;
    new.referrer := null;
    new.metadata := '{}';
    new.credit := without_facts(new.credit);
  end if;
  return new;
end $$;
create trigger stays_erased before insert or update on leads for each row execute function lead_stays_erased();

create function is_erased_lead(account uuid, lead uuid) returns boolean stable language sql as $$
  select exists (select from leads where account_id = account and id = lead and erased_at is not null)
$$;

create function sale_of_erased_lead(account uuid, sale uuid) returns boolean stable language sql as $$
  select exists (select from sales s join leads l on l.account_id = s.account_id and l.id = s.lead_id
    where s.account_id = account and s.id = sale and l.erased_at is not null)
$$;

create function sale_stays_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if is_erased_lead(new.account_id, coalesce(new.lead_id, new.test_lead_id)) then
    new.payer_email := null;
    new.description := null;
    new.void_reason := null;
    new.metadata := '{}';
    new.credit := without_facts(new.credit);
  end if;
  return new;
end $$;
create trigger stays_erased before insert or update on sales
  for each row when (coalesce(new.lead_id, new.test_lead_id) is not null) execute function sale_stays_erased();

create function refund_stays_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if sale_of_erased_lead(new.account_id, new.sale_id) then
    new.reason := null;
  end if;
  return new;
end $$;
create trigger stays_erased before insert or update on refunds
  for each row when (new.reason is not null) execute function refund_stays_erased();

create function submission_stays_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if is_erased_lead(new.account_id, new.lead_id) then
    new.body := '{}';
  end if;
  return new;
end $$;
create trigger stays_erased before insert on lead_submissions for each row execute function submission_stays_erased();

-- The body of an event is needed until it is processed. An event without a sale is about an erased lead if its text
-- names their payment or their customer at the provider.
create function provider_event_stays_erased() returns trigger language plpgsql as $$
declare
  named text[];
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if new.sale_id is not null then
    if sale_of_erased_lead(new.account_id, new.sale_id) then
      new.body := null;
      new.error := null;
    end if;
  elsif exists (select from erasures where account_id = new.account_id) then
    named := array(select distinct word[1] from regexp_matches(new.body, '[A-Za-z0-9_-]{4,}', 'g') word);
    if exists (select from shop_customers c join leads l on l.account_id = c.account_id and l.id = c.lead_id
        where c.account_id = new.account_id and c.shop_id = new.shop_id and c.customer_id = any(named) and l.erased_at is not null)
      or exists (select from provider_payments p
        where p.account_id = new.account_id and p.shop_id = new.shop_id and p.payment_key = any(named)
          and sale_of_erased_lead(new.account_id, p.sale_id)) then
      new.body := null;
      new.error := null;
    end if;
  end if;
  return new;
end $$;
create trigger stays_erased before insert or update on provider_events
  for each row when (new.state in ('processed', 'ignored') and new.body is not null)
  execute function provider_event_stays_erased();

create function provider_object_stays_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if exists (select from erasures where account_id = new.account_id) and (
    exists (select from provider_payments p join sales s on s.account_id = p.account_id and s.id = p.sale_id
        join leads l on l.account_id = s.account_id and l.id = s.lead_id
      where p.account_id = new.account_id and p.shop_id = new.shop_id and p.payment_key = new.payment_key
        and l.erased_at is not null)
    or exists (select from shop_customers c join leads l on l.account_id = c.account_id and l.id = c.lead_id
      where c.account_id = new.account_id and c.shop_id = new.shop_id and c.customer_id = coalesce(new.data ->> 'customer', new.data ->> 'customerId')
        and l.erased_at is not null)) then
    new.data := without_payer(new.data);
  end if;
  return new;
end $$;
create trigger stays_erased before insert or update on provider_objects
  for each row execute function provider_object_stays_erased();

-- Objects and events that came before their payment was booked, within days, turn out to be an erased lead's only then.
create function payment_stays_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if sale_of_erased_lead(new.account_id, new.sale_id) then
    update provider_objects o set data = without_payer(data)
    where o.account_id = new.account_id and o.shop_id = new.shop_id
      and (o.payment_key = new.payment_key or o.payment_key in (
        select g.group_key from provider_objects g
        where g.account_id = new.account_id and g.shop_id = new.shop_id and g.payment_key = new.payment_key))
      and o.data is distinct from without_payer(o.data);
    update provider_events e set body = null, error = null
    where e.account_id = new.account_id and e.shop_id = new.shop_id and e.received_at > now() - interval '30 days'
      and e.state in ('processed', 'ignored') and e.sale_id is null and e.body is not null
      and length(new.payment_key) >= 4 and position(new.payment_key in e.body) > 0;
  end if;
  return null;
end $$;
create trigger stays_erased after insert on provider_payments
  for each row execute function payment_stays_erased();

create function delivery_stays_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if (new.made_type = 'lead' and is_erased_lead(new.account_id, new.made_id))
    or (new.made_type = 'sale' and sale_of_erased_lead(new.account_id, new.made_id))
    or (new.made_type = 'refund' and exists (select from refunds r
      where r.account_id = new.account_id and r.id = new.made_id and sale_of_erased_lead(r.account_id, r.sale_id))) then
    if new.payload is not null then
      update incoming_payloads set bytes = greatest(0, bytes - octet_length(new.payload))
      where account_id = new.account_id and webhook_id = new.webhook_id;
    end if;
    new.payload := null;
    new.fields := null;
    new.reason := null;
  end if;
  return new;
end $$;
create trigger stays_erased before update on incoming_deliveries
  for each row when (new.made_id is not null) execute function delivery_stays_erased();
