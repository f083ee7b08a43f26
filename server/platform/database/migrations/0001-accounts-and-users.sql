create extension if not exists pg_trgm;

-- One row: what belongs to the install itself.
create table install (
  only_row boolean primary key default true check (only_row),
  key_check bytea not null,
  created_at timestamptz(3) not null default now()
);

create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email) and length(email) <= 254),
  first_name text,
  last_name text,
  -- null until the person has set one up
  password_hash text,
  preferences jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table accounts (
  id uuid primary key,
  name text,
  public_id text not null unique,
  api_key_sealed bytea,
  api_key_hash bytea unique,
  default_currency text not null default 'usd',
  layer_rates_ppm integer[] not null default '{0}',
  invitations_from_partners boolean not null default false,
  partner_lead_submission boolean not null default false,
  partner_visibility jsonb not null default '{"leadNames": true, "leadEmails": false, "saleAmounts": true}',
  payout_delay integer not null default 30 check (payout_delay in (0, 7, 14, 30, 45, 60, 90)),
  minimum_payout bigint not null default 0 check (minimum_payout between 0 and 1000000000000),
  time_zone text not null default 'America/New_York',
  lead_protection_days integer not null default 90 check (lead_protection_days between 0 and 365),
  attribution_model text not null default 'last-touch' check (attribution_model in ('last-touch', 'first-touch')),
  recurring_months integer check (recurring_months >= 1),
  self_referral_policy text not null default 'hold' check (self_referral_policy in ('allow', 'flag', 'hold', 'refuse')),
  -- the person invited or in charge; the role itself stands in user_roles from acceptance on
  owner_id uuid references users (id),
  disabled_at timestamptz(3),
  disabled_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index accounts_by_created on accounts (created_at, id);
create index accounts_by_owner on accounts (owner_id);

create table user_roles (
  user_id uuid not null references users (id) on delete cascade,
  type text not null check (type in ('admin', 'account-owner', 'partner')),
  account_id uuid references accounts (id),
  partner_id uuid,
  created_at timestamptz(3) not null,
  unique nulls not distinct (user_id, type, account_id, partner_id),
  check ((type = 'admin') = (account_id is null)),
  check ((type = 'partner') = (partner_id is not null))
);
create index user_roles_by_partner on user_roles (partner_id) where partner_id is not null;
create index user_roles_by_account on user_roles (account_id) where account_id is not null;
