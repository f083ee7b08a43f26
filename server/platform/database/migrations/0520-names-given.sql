-- Banks, partners and others know payouts and payment files by names that a restored copy of the database has
-- forgotten. `born_in`: the life of the database (incarnation.ts) in which the account was created; only in that life
-- is every name given remembered. Null for earlier accounts.
create function this_life() returns text stable language sql as $$
  select concat_ws('/', extract(epoch from pg_postmaster_start_time()), oid, 'install'::regclass::oid,
    pg_relation_filenode('install'))
  from pg_database where datname = current_database()
$$;
alter table accounts add column born_in text;
alter table accounts alter column born_in set default this_life();

-- `numbered_in`: the database in which the account's numbers were last given; empty after a restore. In another one
-- they go on above those that may have been given meanwhile. Null: not given since this column exists.
alter table payout_accounts
  add column numbered_in text,
  add column file_numbers_after integer not null default 0;
