-- Events written with the change they tell of; a relay turns them into jobs and removes them.
create table outbox (
  id bigint generated always as identity primary key,
  account_id uuid,
  type text not null,
  data jsonb not null,
  at timestamptz(3) not null
);

create table idempotency_keys (
  caller text not null,
  call text not null,
  key text not null,
  body_hash bytea not null,
  status integer not null,
  -- sealed: an answer may hold a link or a key
  answer_sealed bytea not null,
  created_at timestamptz(3) not null,
  primary key (caller, call, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table audit (
  id uuid primary key,
  account_id uuid references accounts (id),
  at timestamptz(3) not null,
  actor_type text not null check (actor_type in ('user', 'api-key', 'system')),
  actor_id uuid,
  action text not null,
  subject_type text not null,
  subject_id uuid,
  -- {field: {old, new}}
  changes jsonb not null default '{}'
);
create index audit_by_account on audit (account_id, at, id);
create trigger append_only before update or delete on audit for each row execute function refuse_change();
create trigger append_only_table before truncate on audit for each statement execute function refuse_change();
