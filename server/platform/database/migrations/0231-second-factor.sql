-- A person's authenticator app and recovery codes. A secret counts once a code of it was sent; until then it is pending.
create table totp_and_codes (
  user_id uuid primary key references users on delete cascade,
  totp_sealed bytea,
  totp_created_at timestamptz(3),
  -- the last time step of which a code was accepted: each counts once
  totp_step bigint,
  pending_sealed bytea,
  pending_until timestamptz(3),
  -- SHA-256 of each code not yet used
  recovery_codes bytea[] not null default '{}',
  check ((totp_sealed is null) = (totp_created_at is null)),
  check ((pending_sealed is null) = (pending_until is null))
);

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- the host it was made on, and works on
  rp_id text not null,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index passkeys_by_user on passkeys (user_id, created_at);

-- A challenge that a browser is about to answer, deleted with the answer.
create table sign_in_challenges (
  hash bytea primary key,
  purpose text not null check (purpose in ('passkey', 'new-passkey')),
  user_id uuid references users on delete cascade,
  expires_at timestamptz(3) not null
);
create index sign_in_challenges_by_end on sign_in_challenges (expires_at);

alter table sessions add column method text not null default 'password'
  check (method in ('password', 'passkey', 'oidc', 'link'));
alter table sessions add column second_factor boolean not null default false;
alter table user_tokens add column second_factor boolean not null default false;
alter table accounts add column require_second_factor text not null default 'off'
  check (require_second_factor in ('off', 'team', 'everyone'));
alter table refused_sign_ins drop constraint refused_sign_ins_kind_check;
alter table refused_sign_ins add constraint refused_sign_ins_kind check (kind in ('sign-in', 'password', 'code')) not valid;
