-- The account's details as a payer, for invoices, tax forms and the journal. Without a row, all are defaults.
create table invoicing_settings (
  account_id uuid primary key,
  enabled boolean not null default false,
  -- payouts wait for the partner's invoice details
  required boolean not null default false,
  legal_name text check (length(legal_name) between 1 and 200),
  -- {addressLine, zipCode, city, state}
  address jsonb,
  country text check (country ~ '^[A-Z]{2}$'),
  vat_id text check (length(vat_id) between 1 and 20),
  -- in percent
  vat_rate numeric(4, 2) check (vat_rate between 0 and 30),
  tax_forms text not null default 'off' check (tax_forms in ('off', 'ask', 'required')),
  ein text check (ein ~ '^\d{2}-\d{7}$'),
  phone text check (length(phone) between 1 and 40),
  -- names of the accounts in the journal that differ from the usual ones
  journal_accounts jsonb not null default '{}',
  updated_at timestamptz(3) not null,
  check (not enabled or (legal_name is not null and address is not null and country is not null and vat_rate is not null))
);
select place_with_account('invoicing_settings');
alter table invoicing_settings add foreign key (account_id) references accounts;

-- The one series of an account's invoices and credit notes. Its row is locked after everything else, so that numbers
-- have no gaps and follow the order of the commits.
create table invoice_series (
  account_id uuid primary key,
  prefix text not null default 'INV-' check (prefix ~ '^[A-Z0-9/-]{1,10}$'),
  next_number integer not null default 1 check (next_number > 0),
  -- set when a restore may have lost issued numbers; until it is cleared, invoices wait for theirs
  unsure_since timestamptz(3),
  updated_at timestamptz(3) not null
);
select place_with_account('invoice_series');
alter table invoice_series add foreign key (account_id) references accounts;
