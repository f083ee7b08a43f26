create table leads (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  partner_id uuid,
  blueprint_id uuid,
  click_id uuid,
  first_name text,
  last_name text,
  email text check (email = lower(email)),
  phone text,
  -- phone in E.164, for finding duplicates
  phone_e164 text,
  company text,
  external_id text,
  source text not null check (source in ('embed', 'manual', 'api', 'incoming-webhook', 'provider', 'import', 'partner')),
  status text not null check (status in ('new', 'qualified', 'won', 'lost', 'rejected', 'expired', 'duplicate')),
  status_reason text,
  status_note text,
  shared_note text,
  protected_until timestamptz(3),
  landing_url text,
  referrer text,
  metadata jsonb not null default '{}',
  duplicate_of_id uuid,
  attribution_model text,
  matched_by text check (matched_by in ('click', 'code', 'coupon', 'manual', 'email')),
  attributed_at timestamptz(3),
  last_seen_at timestamptz(3),
  created_on date not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account_id, id),
  foreign key (account_id, partner_id) references partners (account_id, id),
  foreign key (account_id, blueprint_id) references link_blueprints (account_id, id),
  foreign key (account_id, duplicate_of_id) references leads (account_id, id),
  check (email is not null or phone is not null or external_id is not null),
  check ((status = 'duplicate') = (duplicate_of_id is not null))
);
create unique index leads_external_id on leads (account_id, external_id) where external_id is not null;
create index leads_by_created on leads (account_id, created_at, id);
create index leads_by_status on leads (account_id, status, created_at, id);
create index leads_by_partner on leads (account_id, partner_id, created_at, id);
create index leads_by_source on leads (account_id, source, created_at, id);
create index leads_by_email on leads (account_id, email) where email is not null;
create index leads_by_phone on leads (account_id, phone_e164) where phone_e164 is not null;
create index leads_by_protection on leads (protected_until) where status in ('new', 'qualified');
create index leads_search on leads using gin ((account_id::text || ' ' || lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(company, ''))) gin_trgm_ops);

-- A lead's customers at payment providers: what matches a later payment to the lead.
create table lead_customers (
  account_id uuid not null,
  provider text not null,
  customer_id text not null,
  lead_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (account_id, provider, customer_id),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);

-- What happened to a lead beside its clicks, sales and payouts: the timeline.
create table lead_events (
  id uuid primary key,
  account_id uuid not null,
  lead_id uuid not null,
  type text not null,
  actor text,
  text text not null,
  -- text a partner may read too
  shared boolean not null default true,
  at timestamptz(3) not null,
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);
create index lead_events_by_lead on lead_events (lead_id, at, id);
