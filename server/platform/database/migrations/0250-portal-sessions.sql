-- A partner's screens, opened for an hour by a key of the account; tokens name the account, so that it is found by both.
create table portal_sessions (
  account_id uuid not null,
  id uuid not null,
  partner_id uuid not null,
  -- the key that opened it, by its own row: with the key it ends
  key_id uuid not null,
  -- whom the activity names: a replaced key acts as its successor
  actor_id uuid not null,
  kind text not null check (kind in ('frame', 'link')),
  -- of the session; null for a link until it is used
  token_hash bytea,
  -- of a link that was not used yet
  link_hash bytea,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (account_id, id),
  unique (account_id, token_hash),
  unique (account_id, link_hash),
  constraint portal_sessions_one_token check (num_nonnulls(token_hash, link_hash) = 1)
);
select place_with_account('portal_sessions');
alter table portal_sessions add foreign key (account_id, partner_id) references partners (account_id, id)
  on delete cascade;
create index portal_sessions_by_partner on portal_sessions (account_id, partner_id, created_at);

-- Hosts whose pages may frame the portal.
alter table accounts add column frame_hosts text[] not null default '{}' check (cardinality(frame_hosts) <= 10);
