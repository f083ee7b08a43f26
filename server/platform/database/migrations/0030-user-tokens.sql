-- Tokens by which an assistant reads what its user may read.
create table user_tokens (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 40),
  token_hash bytea not null unique,
  last_four text not null check (length(last_four) = 4),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index user_tokens_by_user on user_tokens (user_id, created_at, id);
