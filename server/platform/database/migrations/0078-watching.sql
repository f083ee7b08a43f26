-- Events that wait are found past however many are parked, and those that are parked by themselves. As many indexes are
-- written as before: an event that was never parked has no entry in the last one.
alter table event_relays drop constraint event_relays_pkey, drop constraint event_relays_event_id_key;
alter table event_relays add primary key (event_id);
create index event_relays_waiting on event_relays (position) where parked_at is null;
create index event_relays_parked on event_relays (parked_at) where parked_at is not null;

-- Since when scheduled backups fail; null while they succeed. Administrators are told once of each such time.
alter table install add column backups_failing_since timestamptz(3);
