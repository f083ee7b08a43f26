-- From how much a year on a partner is over the threshold of the year report, where an account says other than the law.
create table tax_thresholds (
  account_id uuid not null references accounts (id),
  year integer not null check (year between 2000 and 2101),
  amount bigint not null check (amount > 0),
  updated_at timestamptz(3) not null,
  primary key (account_id, year)
);
-- What was paid in a year, for the year report.
create index payouts_paid on payouts (account_id, paid_at) where status = 'paid';
