-- Addresses at which other systems bring leads, sales, refunds and lead statuses.
create table incoming_webhooks (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null check (length(name) between 1 and 40),
  target text not null check (target in ('lead', 'sale', 'refund', 'lead-status')),
  enabled boolean not null,
  -- in the address; found by its hash, shown to the owner again
  token_hash bytea not null unique,
  token_sealed bytea not null,
  -- still works until then
  former_token_hash bytea unique,
  former_token_until timestamptz(3),
  -- without its secret, which is sealed
  auth jsonb not null,
  auth_sealed bytea,
  mapping jsonb not null,
  partner_match jsonb,
  filters jsonb not null,
  dedupe_path text,
  last_received_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (num_nonnulls(former_token_hash, former_token_until) in (0, 2))
);
create index incoming_webhooks_by_account on incoming_webhooks (account_id, created_at, id);

-- What was sent, with what came of it.
create table incoming_deliveries (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  webhook_id uuid not null references incoming_webhooks (id) on delete cascade,
  state text not null check (state in ('received', 'processed', 'ignored', 'failed', 'replayed')),
  -- as JSON, which PostgreSQL need not understand; null where it could not be read
  payload text,
  dedupe_key bytea not null,
  reason text,
  fields jsonb,
  made_type text check (made_type in ('lead', 'sale', 'refund')),
  made_id uuid,
  created_at timestamptz(3) not null,
  check ((state in ('processed', 'replayed')) = (made_id is not null)),
  check (num_nonnulls(made_type, made_id) in (0, 2))
);
create index incoming_deliveries_of_webhook on incoming_deliveries (webhook_id, created_at, id);
create index incoming_deliveries_by_key on incoming_deliveries (webhook_id, dedupe_key, created_at);
create index incoming_deliveries_by_age on incoming_deliveries (created_at);
