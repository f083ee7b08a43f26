-- The keys of accounts' own systems, found by their hash.
create table api_keys (
  -- of the account's first key, which the account itself answers, the account's own id: what is kept of who did something
  -- by that key names it so
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null check (length(name) between 1 and 40),
  rights text[] not null check (cardinality(rights) > 0 and rights <@ '{push,read}'),
  key_hash bytea not null unique,
  -- of the account's first key alone, since only that is shown again
  key_sealed bytea check (key_sealed is null or id = account_id),
  last_four text check (length(last_four) = 4),
  -- the key that took its place: this is what it was before
  replaced_by uuid references api_keys (id) on delete cascade,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- a deleted key stays, for its name: other things say that it made them
  deleted_at timestamptz(3),
  check (num_nonnulls(key_sealed, last_four) = 1),
  check (replaced_by is null or expires_at is not null)
);
create index api_keys_by_account on api_keys (account_id, created_at, id);
create index api_keys_by_successor on api_keys (replaced_by) where replaced_by is not null;

insert into api_keys (id, account_id, name, rights, key_hash, key_sealed, created_at)
select a.id, a.id, 'Push data', '{push}', a.api_key_hash, a.api_key_sealed,
  coalesce((select max(e.at) from events e where e.account_id = a.id and e.type = 'account.api-key-renewed'), a.created_at)
from accounts a where a.api_key_hash is not null;

alter table accounts drop column api_key_hash, drop column api_key_sealed;
