-- A credit without the facts of its lead that rules asked for.
create function without_facts(credit jsonb) returns jsonb immutable language sql as $$
  select coalesce((select jsonb_object_agg(key, case
      when key = 'lead' and value ? 'metadata' then value || '{"metadata": {}}'
      when value #> '{lead,metadata}' is not null then jsonb_set(value, '{lead,metadata}', '{}')
      else value end)
    from jsonb_each(credit)), credit)
$$;

create or replace function lead_stays_erased() returns trigger language plpgsql as $$
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

create or replace function sale_stays_erased() returns trigger language plpgsql as $$
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

-- The code of an erased partner is a random one, which then stays.
create or replace function partner_stays_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if tg_op = 'INSERT' and new.erased_at is null then
    new.erased_at := (select min(at) from erasures where account_id = new.account_id and new.id = any(subject_ids));
  end if;
  if new.erased_at is not null then
    new.first_name := 'Erased partner';
    new.last_name := right(new.id::text, 4);
    new.email := 'erased-' || new.id || '@erased.invalid';
    if new.referral_code !~ '^erased-[0-9a-f]{24}$' then
      new.referral_code := 'erased-' || left(replace(gen_random_uuid()::text, '-', ''), 24);
    end if;
    new.note := null;
    new.state_reason := null;
    new.void_reason := case when new.void_reason is not null then 'Erased' end;
    new.tax_form := null;
  end if;
  return new;
end $$;

-- An event without a sale is about an erased lead if its text names their payment or their customer at the provider.
create or replace function provider_event_stays_erased() returns trigger language plpgsql as $$
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
drop trigger stays_erased on provider_events;
create trigger stays_erased before insert or update on provider_events
  for each row when (new.state in ('processed', 'ignored') and new.body is not null)
  execute function provider_event_stays_erased();

-- What came before its payment was booked is known to be an erased lead's from then on; it comes within days.
create or replace function payment_stays_erased() returns trigger language plpgsql as $$
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
