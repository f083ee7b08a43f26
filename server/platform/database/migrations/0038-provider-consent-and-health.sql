-- A consent that an owner began at a provider: finished once, by the same user, for the same account.
create table provider_consents (
  state_hash bytea primary key,
  account_id uuid not null references accounts (id),
  user_id uuid not null references users (id) on delete cascade,
  provider text not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index provider_consents_by_expiry on provider_consents (expires_at);

alter table provider_connections
  -- when the owner last gave their consent
  add column authorized_at timestamptz(3),
  -- when the provider said that the consent was withdrawn; from then on it is not asked any more
  add column revoked_at timestamptz(3),
  -- from when on its tokens are renewed
  add column refresh_at timestamptz(3),
  -- when its key was last tried by the clock
  add column checked_at timestamptz(3),
  -- the last event before a pause that is too long
  add column silent_since timestamptz(3);
alter table provider_connections add check (disconnected_at is null or refresh_at is null);

-- The sale that an event booked or changed.
alter table provider_events add column sale_id uuid;
create index provider_events_by_shop on provider_events (shop_id, received_at, id);
