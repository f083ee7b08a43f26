-- Two people approve what is above the ceiling of an account that asks for it.

-- when a person who had no right to pay got it; null: with the role itself
alter table user_roles add column pay_since timestamptz(3);

-- The ceiling per payout and how many people approve above it, from a moment on; no rows while it was always one. What
-- loosens them is saved before it comes into force.
create table payout_limits (
  account_id uuid not null,
  in_force_at timestamptz(3) not null,
  max_per_payout bigint check (max_per_payout >= 0),
  approvals smallint not null check (approvals in (1, 2)),
  saved_at timestamptz(3) not null,
  primary key (account_id, in_force_at),
  check (approvals = 1 or max_per_payout is not null),
  check (saved_at <= in_force_at)
);
select place_with_account('payout_limits');
alter table payout_limits add foreign key (account_id) references accounts;

-- The first of two approvals, with what it saw; completed by the second.
create table payout_approvals (
  id uuid not null,
  account_id uuid not null,
  payout_id uuid not null,
  user_id uuid not null,
  at timestamptz(3) not null,
  amount bigint not null,
  -- a digest of the entries' ids
  entries bytea not null,
  details_version uuid,
  completed_at timestamptz(3),
  primary key (id, account_id)
);
create unique index payout_approvals_open on payout_approvals (account_id, payout_id) where completed_at is null;
create index payout_approvals_by_payout on payout_approvals (account_id, payout_id);
select place_with_account('payout_approvals');
alter table payout_approvals add foreign key (account_id, payout_id) references payouts (account_id, id);
alter table payout_approvals add foreign key (user_id) references users;
