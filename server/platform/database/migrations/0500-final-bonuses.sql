-- A bonus is judged each night until it is final: the last time in the night before its due day, or after it if that
-- night was missed. It isn’t due before.
alter table goal_awards add column final boolean not null default false;
