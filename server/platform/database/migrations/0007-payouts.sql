-- Where a partner's money goes. The details themselves are sealed; only the last four digits stand beside them.
create table payout_settings (
  partner_id uuid primary key,
  account_id uuid not null,
  -- null after removal
  details_sealed bytea,
  routing_last4 text,
  account_last4 text,
  -- changes with every save; an approved payout remembers the version it was approved with
  version uuid not null,
  -- of a change of existing details; null after a first entry
  changed_at timestamptz(3),
  -- Wise's words when it refused exactly these details
  rejected_reason text,
  -- these details as a recipient of that Wise profile; Wise never changes one, so neither outlives a save
  wise_recipient_id text,
  wise_recipient_profile_id text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  foreign key (account_id, partner_id) references partners (account_id, id)
);

-- How an account pays out.
create table payout_accounts (
  account_id uuid primary key references accounts (id),
  enabled boolean not null default false,
  wise_token_sealed bytea,
  wise_token_hint text,
  wise_profile jsonb,
  wise_profiles jsonb not null default '[]',
  wise_subscription_id text,
  -- why Wise refuses the token; automatic payouts pause while it stands
  wise_error text,
  -- 'unauthorized' ends with any call that Wise takes, 'forbidden' with a transfer or new settings
  wise_error_kind text check (wise_error_kind in ('unauthorized', 'forbidden')),
  max_per_payout bigint check (max_per_payout >= 0),
  max_per_run bigint check (max_per_run >= 0),
  last_statement_number integer not null default 0,
  last_run_on date,
  -- entries that fell due up to then have been told of
  due_told_until timestamptz(3),
  updated_at timestamptz(3) not null
);

create table payouts (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  partner_id uuid not null,
  statement_number integer not null,
  -- 'gathering' until approval: amount, entries and blockers are read from what has fallen due
  status text not null default 'gathering'
    check (status in ('gathering', 'approved', 'processing', 'awaiting-funding', 'sent', 'paid', 'failed', 'returned', 'canceled')),
  -- fixed at approval
  amount bigint check (amount > 0),
  currency text not null,
  method text check (method in ('wise', 'manual', 'csv')),
  period_start date,
  period_end date,
  details_sealed bytea,
  details_version uuid,
  approved_by uuid references users (id),
  approved_at timestamptz(3),
  sent_at timestamptz(3),
  paid_at timestamptz(3),
  failure_reason text,
  external_reference text,
  -- the transfer that stands unfunded is to be cancelled first: by the owner, or because the details changed
  stop_reason text check (stop_reason in ('canceled', 'details-changed')),
  -- the owner asks for another try at funding
  fund_again boolean not null default false,
  -- when its transfer was last read back
  checked_at timestamptz(3),
  -- who works on it right now, by the database's clock: two workers never ask Wise for the same payout
  lease_id uuid,
  leased_until timestamptz,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account_id, id),
  unique (account_id, statement_number),
  foreign key (account_id, partner_id) references partners (account_id, id),
  check (status in ('gathering', 'canceled') or amount is not null)
);
create unique index payouts_one_gathering on payouts (partner_id) where status = 'gathering';
create index payouts_by_created on payouts (account_id, created_at, id);
create index payouts_by_partner on payouts (partner_id, created_at, id);
create index payouts_by_status on payouts (account_id, status);
create index payouts_moving on payouts (status) where status in ('approved', 'processing', 'awaiting-funding', 'sent', 'returned');

-- Approval binds entries to a payout; a payout that ends without paying lets them go.
create table payout_entries (
  payout_id uuid not null,
  entry_id uuid not null,
  account_id uuid not null,
  live boolean not null default true,
  -- the approval that bound it: a payout may be approved again, with other entries
  approved_at timestamptz(3) not null,
  primary key (payout_id, entry_id),
  foreign key (account_id, payout_id) references payouts (account_id, id),
  foreign key (account_id, entry_id) references commission_entries (account_id, id)
);
create unique index payout_entries_live on payout_entries (entry_id) where live;

create table payout_attempts (
  id uuid primary key,
  payout_id uuid not null references payouts (id),
  number integer not null,
  -- UUIDv5 of payout and attempt, committed before the first call: Wise makes one transfer for it, however often it is sent
  customer_transaction_id uuid not null unique,
  wise_profile_id text not null,
  recipient_id text,
  quote_id text,
  quote_expires_at timestamptz(3),
  transfer_id text,
  -- 'created', 'quoted', 'recipient-known', 'transferring' (asked, answer unknown), then Wise's own state of the transfer;
  -- 'rejected', 'abandoned': no transfer exists and none will
  state text not null,
  funded_at timestamptz(3),
  -- why the transfer waits for money: 'balance' is tried again, 'forbidden' is for the owner to pay
  funding_problem text check (funding_problem in ('balance', 'forbidden')),
  fee bigint,
  rate numeric,
  error text,
  at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (payout_id, number)
);
create index payout_attempts_by_transfer on payout_attempts (transfer_id) where transfer_id is not null;

-- An approved payout is the sum of its live entries, all of them its own partner's.
create function check_payout_sum(wanted uuid) returns void language plpgsql as $$
declare
  payout payouts;
  bound bigint;
  foreign_entries integer;
begin
  select * into payout from payouts where id = wanted;
  if payout.status is null then return; end if;
  select coalesce(sum(e.amount), 0), count(*) filter (where e.partner_id <> payout.partner_id) into bound, foreign_entries
  from payout_entries pe join commission_entries e on e.id = pe.entry_id
  where pe.payout_id = wanted and pe.live;
  if foreign_entries > 0 then
    raise exception 'payout % holds entries of another partner', wanted using errcode = 'check_violation';
  end if;
  if payout.status in ('approved', 'processing', 'awaiting-funding', 'sent', 'paid', 'failed') and bound <> payout.amount then
    raise exception 'payout % is % but its entries sum to %', wanted, payout.amount, bound using errcode = 'check_violation';
  end if;
  if payout.status in ('gathering', 'canceled') and bound <> 0 then
    raise exception 'payout % holds entries though it is %', wanted, payout.status using errcode = 'check_violation';
  end if;
end $$;
create function check_payout_row() returns trigger language plpgsql as $$
begin perform check_payout_sum(new.id); return null; end $$;
-- The payout's row changes first, then its entries in one statement: so one check serves thousands of them.
create function check_payout_entries() returns trigger language plpgsql as $$
begin
  perform check_payout_sum(touched.payout_id) from (select distinct payout_id from changed) touched;
  return null;
end $$;
create constraint trigger payout_is_its_entries after insert or update of status, amount, partner_id on payouts
  deferrable initially deferred for each row execute function check_payout_row();
create trigger inserted_entries_are_their_payout after insert on payout_entries
  referencing new table as changed for each statement execute function check_payout_entries();
create trigger updated_entries_are_their_payout after update on payout_entries
  referencing new table as changed for each statement execute function check_payout_entries();
create trigger entries_stay before delete on payout_entries for each row execute function refuse_change();
