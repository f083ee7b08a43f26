-- Keyed hash of the card that paid, equal for equal ones at a provider of the account.
alter table sales add column card_hash bytea;

-- Also empties the card.
create or replace function sale_stays_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if is_erased_lead(new.account_id, coalesce(new.lead_id, new.test_lead_id)) then
    new.payer_email := null;
    new.description := null;
    new.void_reason := null;
    new.card_hash := null;
    new.metadata := '{}';
    new.credit := without_facts(new.credit);
  end if;
  return new;
end $$;

-- Also empties the card.
create or replace function without_payer(data jsonb) returns jsonb immutable language sql as $$
  select coalesce((select jsonb_object_agg(key, case
      when key in ('email', 'name', 'reason', 'description', 'card') then 'null'::jsonb
      when key = 'references' then '[]'::jsonb
      else value end)
    from jsonb_each(data)), data)
$$;
