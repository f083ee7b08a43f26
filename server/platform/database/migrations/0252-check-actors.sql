alter table events validate constraint events_actor_type_check;
alter table passing_events validate constraint events_actor_type_check;
