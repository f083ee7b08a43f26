-- Payouts in one file, which a person uploads at a bank or at Wise.
create table payment_files (
  account_id uuid not null,
  id uuid not null,
  number integer not null check (number > 0),
  method text not null check (method in ('sepa', 'csv')),
  -- the file's own id, and in a SEPA file its order's
  message_id text not null check (length(message_id) <= 35),
  execution_date date,
  count integer not null check (count > 0),
  -- what the file pays
  amount bigint not null,
  currency text not null,
  -- what the file says of its payer, as it was then
  head_sealed bytea,
  -- the provider's profile that it is paid from
  profile_id text,
  -- of its bytes; null for files of earlier releases
  sha256 bytea,
  created_by uuid,
  created_at timestamptz(3) not null,
  primary key (id, account_id)
);
create unique index payment_files_by_number on payment_files (account_id, number);
select place_with_account('payment_files');
alter table payment_files add foreign key (account_id) references accounts;

create table payment_file_payouts (
  account_id uuid not null,
  file_id uuid not null,
  payout_id uuid not null,
  -- the first, second, … file of the payout
  turn integer not null check (turn > 0),
  -- the payout's name in the file
  reference text not null check (length(reference) <= 35),
  recipient_id text,
  -- the payout's amount then, and what the file pays; null where earlier releases did not store it
  amount bigint,
  pay_amount bigint,
  -- what the approval fixed of the invoice
  invoice_terms jsonb,
  -- this file may still pay it
  live boolean not null default true,
  primary key (file_id, payout_id, account_id)
);
create unique index payment_file_payouts_by_turn on payment_file_payouts (account_id, payout_id, turn);
create unique index payment_file_payouts_live on payment_file_payouts (account_id, payout_id) where live;
select place_with_account('payment_file_payouts');
alter table payment_file_payouts add foreign key (file_id, account_id) references payment_files;
alter table payment_file_payouts add foreign key (account_id, payout_id) references payouts (account_id, id);
