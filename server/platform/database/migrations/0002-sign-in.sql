create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  access_hash bytea not null unique,
  access_expires_at timestamptz(3) not null,
  -- which refresh token is the present one; its predecessors are derived from the same secret
  generation integer not null default 0,
  -- when the password was last proved in this session
  confirmed_at timestamptz(3),
  user_agent text,
  address text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  -- 30 days after sign-in, however often refreshed
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create index sessions_by_user on sessions (user_id, created_at);

-- Every refresh token a session ever had: a used one that comes back ends the session.
create table refresh_tokens (
  hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  generation integer not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  unique (session_id, generation)
);

create table password_resets (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index password_resets_by_user on password_resets (user_id, created_at);

-- An invitation of an owner, of a partner, or of the first administrator (who has no e-mail yet).
create table invitations (
  id uuid primary key,
  kind text not null check (kind in ('administrator', 'owner', 'partner')),
  account_id uuid references accounts (id),
  partner_id uuid,
  email text,
  -- the person invited; made with the invitation when the e-mail is new
  user_id uuid references users (id),
  invited_by uuid references users (id),
  status text not null default 'pending' check (status in ('pending', 'sent', 'bounced', 'opened', 'accepted', 'revoked')),
  -- the token is derived from id and count: a new sending makes the old link die
  send_count integer not null default 1,
  sent_today integer not null default 1,
  token_hash bytea not null unique,
  last_sent_at timestamptz(3) not null,
  sent_at timestamptz(3),
  opened_at timestamptz(3),
  accepted_at timestamptz(3),
  expires_at timestamptz(3) not null,
  last_error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((kind = 'administrator') = (account_id is null)),
  check ((kind = 'partner') = (partner_id is not null))
);
create unique index invitations_of_partner on invitations (partner_id) where kind = 'partner';
create index invitations_of_owner on invitations (account_id, created_at) where kind = 'owner';
create index invitations_by_user on invitations (user_id);
