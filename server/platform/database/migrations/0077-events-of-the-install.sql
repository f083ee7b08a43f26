-- What happens in no account is told under the nil id, so that every event says whose it is and lies with it. No row of
-- accounts has that id. Events are never written but beside a change within their account, which is there then and is never
-- deleted; and an event waits to be relayed only where the same statement wrote it. Both were looked up row by row.
alter table accounts add check (id <> '00000000-0000-0000-0000-000000000000');
alter table event_relays drop constraint event_relays_event_id_fkey;
alter table events drop constraint events_account_id_fkey, drop constraint events_check1, disable trigger user;
update events set account_id = '00000000-0000-0000-0000-000000000000' where account_id is null;
alter table events enable trigger user, alter column account_id set not null,
  add constraint events_check1 check (kind <> 'public' or account_id <> '00000000-0000-0000-0000-000000000000');

create unique index if not exists events_by_id on events (id, account_id);
alter table events drop constraint events_pkey;
alter table events add constraint events_pkey primary key using index events_by_id;
