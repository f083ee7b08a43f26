do $$
declare
  reference record;
begin
  for reference in
    select conname as name, conrelid::regclass as held_by from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace and not convalidated
  loop
    execute format('alter table %s validate constraint %I', reference.held_by, reference.name);
  end loop;
end $$;
