-- What is done in a portal session is done by the portal, for the key that opened it.
alter table events drop constraint events_actor_type_check;
alter table events add constraint events_actor_type_check
  check (actor_type in ('user', 'api-key', 'portal', 'system')) not valid;
alter table passing_events drop constraint events_actor_type_check;
alter table passing_events add constraint events_actor_type_check
  check (actor_type in ('user', 'api-key', 'portal', 'system')) not valid;
