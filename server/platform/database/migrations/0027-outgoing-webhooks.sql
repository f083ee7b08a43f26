-- Addresses of other systems that are sent what happens, each at a pace of its own.
create table outgoing_webhooks (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null check (length(name) between 1 and 40),
  url text not null check (length(url) between 1 and 2048),
  -- each once; `*` alone stands for all
  events text[] not null check (cardinality(events) > 0),
  secret_sealed bytea not null,
  -- also signs until then
  former_secret_sealed bytea,
  former_secret_until timestamptz(3),
  header_names text[] not null default '{}',
  headers_sealed bytea,
  enabled boolean not null,
  disabled_reason text check (disabled_reason is null or not enabled),
  -- failed tries in a row
  failures integer not null default 0 check (failures >= 0),
  last_delivery_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- gone for everyone; the row stays until its deliveries are forgotten
  deleted_at timestamptz(3),
  check (num_nonnulls(former_secret_sealed, former_secret_until) in (0, 2))
);
create unique index outgoing_webhooks_once on outgoing_webhooks (account_id, md5(url), events) where deleted_at is null;
create index outgoing_webhooks_by_account on outgoing_webhooks (account_id, created_at, id) where deleted_at is null;

-- Which process delivers to a webhook, and until when unless it says again that it lives: one at a time.
create table outgoing_turns (
  webhook_id uuid primary key references outgoing_webhooks (id) on delete cascade,
  held_by uuid not null,
  held_until timestamptz(3) not null
);

-- An event on its way to a webhook. Of a test the event is the delivery itself; what was sent follows from the event.
create table outgoing_deliveries (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  webhook_id uuid not null references outgoing_webhooks (id),
  event_id uuid not null,
  event text not null,
  state text not null check (state in ('pending', 'delivered', 'retrying', 'failed')),
  tries integer not null default 0 check (tries >= 0),
  next_at timestamptz(3),
  code smallint,
  duration_ms integer,
  -- the beginning of the answer, or why none came
  answer text check (length(answer) <= 1000),
  created_at timestamptz(3) not null,
  check ((next_at is not null) = (state in ('pending', 'retrying')))
);
create index outgoing_deliveries_waiting on outgoing_deliveries (webhook_id, next_at, id) where next_at is not null;
create index outgoing_deliveries_of_webhook on outgoing_deliveries (webhook_id, created_at, id);
create index outgoing_deliveries_by_age on outgoing_deliveries (created_at);
