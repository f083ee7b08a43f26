-- Hosts of accounts: the present one, and those given up, which go on leading to what was given to partners before.
create table hosts (
  account_id uuid not null references accounts,
  name text not null check (name ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$' and length(name) <= 240),
  state text not null check (state in ('unproven', 'proven', 'ready', 'attention', 'given-up')),
  -- why the last check did not succeed
  problem text check (length(problem) <= 500),
  -- of daily checks in a row
  failures smallint not null default 0 check (failures between 0 and 7),
  -- the last day whose daily check was counted
  counted_on date,
  -- counts every change: whether the host answers decides nothing if it was asked before another change
  changes integer not null default 0,
  checked_at timestamptz(3),
  proven_at timestamptz(3),
  given_up_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, name),
  check ((state = 'unproven') = (proven_at is null)),
  check ((state = 'given-up') = (given_up_at is not null))
);
create unique index hosts_one_present on hosts (account_id) where state <> 'given-up';
create unique index hosts_one_owner on hosts (name) where state <> 'unproven';

-- The name of the account's host while that is ready.
alter table accounts add column portal_host text;
