-- An account's tie to a payment provider. Connecting again makes a new row, so that the history stays.
create table provider_connections (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  provider text not null,
  method text not null check (method in ('oauth', 'credentials')),
  account_name text,
  default_currency text,
  provider_account_id text,
  livemode boolean not null,
  -- in the address that events come to; names the connection, the signature proves the sender
  hook_key text not null unique,
  key_sealed bytea,
  webhook_secret_sealed bytea,
  -- the endpoint we made at the provider
  endpoint_id text,
  -- why the provider does not accept the key, in its words
  trouble text,
  -- why there is no signing secret yet
  endpoint_trouble text,
  disconnected_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account_id, id),
  check (disconnected_at is null or (key_sealed is null and webhook_secret_sealed is null))
);
create unique index provider_connections_once on provider_connections (account_id, provider, provider_account_id)
  where disconnected_at is null;
create index provider_connections_by_created on provider_connections (account_id, created_at, id);

-- Signed events as they came, stored before the provider is answered.
create table provider_events (
  id uuid primary key,
  connection_id uuid not null references provider_connections (id),
  external_id text not null,
  type text not null,
  -- when the provider says it happened
  at timestamptz(3) not null,
  -- the raw text; forgotten after a while
  body text,
  state text not null check (state in ('received', 'processed', 'ignored', 'failed')),
  -- why the last try failed; it is tried again
  error text,
  tries integer not null default 0,
  received_at timestamptz(3) not null,
  processed_at timestamptz(3),
  unique (connection_id, external_id)
);
create index provider_events_by_received on provider_events (connection_id, received_at);
create index provider_events_kept on provider_events (received_at) where body is not null;
create index provider_events_failed on provider_events (connection_id, received_at) where state = 'failed';

-- What events and answers showed of a payment: the newest of every object, whatever the order. The payment is read
-- from the whole set.
create table provider_objects (
  connection_id uuid not null references provider_connections (id),
  payment_key text not null,
  kind text not null,
  object_id text not null,
  -- payments that share what stands under this key, such as a subscription's
  group_key text,
  -- later stages of a thing outrank earlier ones; between equals the newer counts
  rank bigint not null,
  at timestamptz(3) not null,
  data jsonb not null,
  primary key (connection_id, payment_key, kind, object_id)
);
create index provider_objects_by_group on provider_objects (connection_id, group_key) where group_key is not null;
create index provider_objects_by_id on provider_objects (connection_id, kind, object_id);

-- Which sale a payment became, and what of its refunds the sale was told.
create table provider_payments (
  connection_id uuid not null references provider_connections (id),
  payment_key text not null,
  sale_id uuid not null,
  -- a partner is credited: nothing is left to find out
  credited boolean not null,
  -- {refund: {status, amount}}
  applied jsonb not null default '{}',
  primary key (connection_id, payment_key)
);
