create table link_blueprints (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  key text not null unique check (key ~ '^[a-z0-9]{8}$'),
  name text not null,
  destination_url text not null,
  domain text not null,
  parameter_name text not null default 'ref',
  utm jsonb not null default '{}',
  cookie_days integer not null default 90 check (cookie_days between 1 and 365),
  -- null: the account's
  attribution_model text check (attribution_model in ('last-touch', 'first-touch')),
  passthrough_query boolean not null default true,
  layer_rates_ppm integer[],
  enabled boolean not null default true,
  -- deleted: in no list any more, while its addresses still lead on
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account_id, id)
);
create index link_blueprints_by_created on link_blueprints (account_id, created_at, id) where archived_at is null;

-- A visit counted through a short link, or reported by the embed script or a push call.
create table clicks (
  id uuid primary key,
  account_id uuid not null,
  blueprint_id uuid,
  partner_id uuid,
  day date not null,
  ip_hash bytea,
  user_agent_class text,
  country text,
  referrer_host text,
  landing_path text,
  is_bot boolean not null default false,
  is_unique boolean not null default true,
  source text not null check (source in ('redirect', 'embed', 'push')),
  at timestamptz(3) not null,
  foreign key (account_id, blueprint_id) references link_blueprints (account_id, id),
  foreign key (account_id, partner_id) references partners (account_id, id)
);
-- the once-an-hour look-up of is_unique
create index clicks_by_visitor on clicks (ip_hash, at) where is_unique;
create index clicks_by_partner on clicks (partner_id, at);
create index clicks_by_age on clicks using brin (at);
