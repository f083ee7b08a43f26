-- sentences about a processed delivery whose facts contradict those known
alter table incoming_deliveries add column warnings jsonb;

create or replace function delivery_stays_erased() returns trigger language plpgsql as $$
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
    new.warnings := null;
  end if;
  return new;
end $$;
