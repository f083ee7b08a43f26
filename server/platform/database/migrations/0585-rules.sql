-- several kinds of records from one webhook; null for one saved before, whose only rule is told by its other columns
alter table incoming_webhooks add column rules jsonb;

-- what a delivery made, of each rule and item; one that failed in part made something too
alter table incoming_deliveries add column records jsonb;
alter table incoming_deliveries drop constraint incoming_deliveries_check,
  add constraint incoming_deliveries_check check (state not in ('processed', 'replayed') or made_id is not null) not valid;
alter table incoming_deliveries validate constraint incoming_deliveries_check;

create or replace function delivery_stays_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if exists (
    select from (
      select new.made_type as type, new.made_id as id
      union all
      select r ->> 'type', (r ->> 'id')::uuid from jsonb_array_elements(coalesce(new.records, '[]')) r) made
    where (made.type = 'lead' and is_erased_lead(new.account_id, made.id))
      or (made.type = 'sale' and sale_of_erased_lead(new.account_id, made.id))
      or (made.type = 'refund' and exists (select from refunds f
        where f.account_id = new.account_id and f.id = made.id and sale_of_erased_lead(f.account_id, f.sale_id)))) then
    if new.payload is not null then
      update incoming_payloads set bytes = greatest(0, bytes - octet_length(new.payload))
      where account_id = new.account_id and webhook_id = new.webhook_id;
    end if;
    new.payload := null;
    new.fields := null;
    new.reason := null;
    new.warnings := null;
    new.records := null;
  end if;
  return new;
end $$;
