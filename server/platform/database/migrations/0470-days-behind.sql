-- True for a day that a server of the release before has written, which knows neither versions of days nor totals of
-- codes and own links: the night counts these again. Servers of this release insert false.
alter table day_stats add column behind boolean not null default false;
alter table day_stats alter column behind set default true;

create function note_behind() returns trigger language plpgsql as $$
begin
  new.version = old.version + 1;
  new.behind = true;
  return new;
end $$;
create trigger note_behind before update on day_stats for each row
  when (new.version = old.version) execute function note_behind();
