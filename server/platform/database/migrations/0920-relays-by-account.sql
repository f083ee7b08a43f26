-- Relays are with the account of their event. The release before doesn't name it, so a trigger does; it orders by the
-- position, which later ones don't have.
alter table event_relays alter position drop identity, alter position drop not null, add column account_id uuid;
-- apart: a cluster joins no table of one machine with those of all
do $$
declare
  ids constant uuid[] := array(select event_id from event_relays);
  found record;
begin
  for found in select id, account_id from told_events where id = any(ids) loop
    update event_relays set account_id = found.account_id where event_id = found.id;
  end loop;
end $$;
update event_relays set account_id = '00000000-0000-0000-0000-000000000000' where account_id is null;
alter table event_relays alter account_id set not null,
  drop constraint event_relays_pkey, add primary key (event_id, account_id);
drop index event_relays_waiting;
create index event_relays_waiting on event_relays (event_id) where parked_at is null;

create function name_relayed_account() returns trigger language plpgsql as $$
begin
  new.account_id := coalesce((select account_id from told_events where id = new.event_id limit 1),
    '00000000-0000-0000-0000-000000000000');
  return new;
end $$;
create trigger event_relays_name_account before insert on event_relays
  for each row when (new.account_id is null) execute function name_relayed_account();
