-- Seven tables had a second unique key of the same two columns as their primary key, in the other order, for no better
-- reason than that foreign keys name the columns in that order. Each write kept both. Foreign keys may name the columns of
-- a key in any order, so they are made again over the primary key, under their names; 0108 validates them.
do $$
declare
  doubled record;
  held_by regclass[];
  names text[];
  definitions text[];
begin
  for doubled in
    select u.conname as name, u.conrelid::regclass as held_by from pg_constraint u
    join pg_constraint p on p.conrelid = u.conrelid and p.contype = 'p' and p.conkey @> u.conkey and p.conkey <@ u.conkey
    where u.contype = 'u' and u.conrelid in ('commission_entries'::regclass, 'leads'::regclass, 'partners'::regclass,
      'payouts'::regclass, 'refunds'::regclass, 'sale_corrections'::regclass, 'sales'::regclass)
    order by u.conrelid::regclass::text
  loop
    select array_agg(conrelid::regclass), array_agg(conname), array_agg(pg_get_constraintdef(oid))
      into held_by, names, definitions from pg_constraint where contype = 'f' and confrelid = doubled.held_by;
    for i in 1 .. cardinality(names) loop
      execute format('alter table %s drop constraint %I', held_by[i], names[i]);
    end loop;
    execute format('alter table %s drop constraint %I', doubled.held_by, doubled.name);
    for i in 1 .. cardinality(names) loop
      execute format('alter table %s add constraint %I %s not valid', held_by[i], names[i], definitions[i]);
    end loop;
  end loop;
end $$;
