-- Sales that an owner played through, for the screen that shows how it went; forgotten after a day.
create table rehearsals (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  partner_id uuid,
  blueprint_id uuid,
  amount bigint not null check (amount > 0),
  steps jsonb not null,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3)
);
create index rehearsals_of_account on rehearsals (account_id, created_at);
create index rehearsals_by_age on rehearsals (created_at);
