-- Null: no rule but the one about self-referrals, which has its own column.
alter table accounts add column fraud_rules jsonb check (octet_length(fraud_rules::text) <= 200000);

-- Names of parameters that show a visit was paid for; never their values.
alter table clicks add column paid_parameters text[];

-- Keyed hash of bank details, equal for equal ones of the account.
alter table payout_settings add column details_hash bytea;

-- Findings about a sale, or else a lead of the partner, or else the partner.
create table fraud_cases (
  id uuid not null,
  account_id uuid not null,
  sale_id uuid,
  lead_id uuid,
  partner_id uuid not null,
  findings jsonb not null check (jsonb_array_length(findings) between 1 and 20),
  action text not null check (action in ('flag', 'hold')),
  opened_at timestamptz(3) not null,
  held_until timestamptz(3),
  decision text check (decision in ('released', 'voided')),
  decided_at timestamptz(3),
  -- null: a user of another install
  decided_by uuid,
  reason text check (length(reason) <= 1000),
  question text check (length(question) between 1 and 1000),
  asked_at timestamptz(3),
  answer text check (length(answer) between 1 and 1000),
  answered_at timestamptz(3),
  primary key (id, account_id),
  check (num_nonnulls(sale_id, lead_id) <= 1),
  check ((action = 'hold') = (held_until is not null)),
  check ((decision is null) = (decided_at is null))
);
create unique index fraud_cases_of_sale on fraud_cases (account_id, sale_id) where sale_id is not null;
create unique index fraud_cases_of_lead on fraud_cases (account_id, lead_id) where lead_id is not null;
create index fraud_cases_by_partner on fraud_cases (account_id, partner_id, opened_at, id);
create index fraud_cases_by_time on fraud_cases (account_id, opened_at, id);
select place_with_account('fraud_cases');
alter table fraud_cases add foreign key (account_id) references accounts;
alter table fraud_cases add foreign key (sale_id, account_id) references sales (id, account_id);
alter table fraud_cases add foreign key (lead_id, account_id) references leads (id, account_id) on delete cascade;
alter table fraud_cases add foreign key (partner_id, account_id) references partners (id, account_id) on delete cascade;

-- The case that holds or flags the sale: its own, or its lead's or partner's.
alter table sales add column fraud_case_id uuid;
