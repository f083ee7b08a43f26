-- whose external IDs a processed delivery names although its email is another's, and which record it made of whom
alter table incoming_deliveries add column others_id jsonb;

-- the external ID that deliveries of an incoming webhook name with different emails, and since when
alter table incoming_webhooks add column same_id jsonb;

create function others_stay_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if exists (
    select from jsonb_array_elements(new.others_id) o
    where is_erased_lead(new.account_id, (o ->> 'leadId')::uuid)
      or (o #>> '{made,type}' = 'lead' and is_erased_lead(new.account_id, (o #>> '{made,id}')::uuid))
      or (o #>> '{made,type}' = 'sale' and sale_of_erased_lead(new.account_id, (o #>> '{made,id}')::uuid))) then
    new.others_id := null;
    new.warnings := null;
  end if;
  return new;
end $$;
create trigger others_stay_erased before insert or update on incoming_deliveries
  for each row when (new.others_id is not null) execute function others_stay_erased();
