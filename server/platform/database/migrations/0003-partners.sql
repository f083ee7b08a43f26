create table partners (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  parent_partner_id uuid,
  user_id uuid references users (id),
  first_name text,
  last_name text,
  email text not null check (email = lower(email) and length(email) <= 254),
  referral_code text not null check (referral_code ~ '^[a-z0-9-]{3,32}$'),
  -- null: the account's default applies
  layer_rates_ppm integer[],
  approved_payout_years integer[] not null default '{}',
  -- 'active' is shown as invited until somebody has accepted
  state text not null default 'active' check (state in ('active', 'suspended', 'archived')),
  state_reason text,
  tax_form jsonb,
  -- who invited, when it was a partner
  invited_by_partner_id uuid,
  created_on date not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account_id, id),
  foreign key (account_id, parent_partner_id) references partners (account_id, id),
  check (parent_partner_id <> id)
);
create unique index partners_email on partners (account_id, email);
create index partners_by_created on partners (account_id, created_at, id);
create index partners_by_parent on partners (account_id, parent_partner_id, created_at, id);
create index partners_by_user on partners (user_id);
create index partners_search on partners using gin ((account_id::text || ' ' || lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || email || ' ' || referral_code)) gin_trgm_ops);

alter table user_roles add foreign key (account_id, partner_id) references partners (account_id, id) on delete cascade;

-- Every code a partner has or had: the present one and the aliases that go on working.
create table referral_codes (
  account_id uuid not null,
  code text not null check (code ~ '^[a-z0-9-]{3,32}$'),
  partner_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (account_id, code),
  foreign key (account_id, partner_id) references partners (account_id, id) on delete cascade
);
create index referral_codes_by_partner on referral_codes (partner_id);

alter table invitations add foreign key (account_id, partner_id) references partners (account_id, id) on delete cascade;
