/* The activity names its subjects, also those that are gone, and is read by subject. */
create or replace view audit as
select id, account_id, at, actor_type, actor_id, type as action, subject_type, subject_id,
  coalesce(data -> 'changes', '{}') as changes, network, request_id,
  coalesce(data -> 'object' ->> 'displayName', data -> 'object' ->> 'name', data -> 'object' ->> 'accountName',
    data -> 'changes' -> 'name' ->> 'new') as told_name,
  data -> 'object' ->> 'currency' as currency
from events where audited;

create index events_by_subject on events (account_id, subject_id, at, id) where audited;
