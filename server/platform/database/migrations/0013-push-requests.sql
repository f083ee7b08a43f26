-- What an account's own systems sent last, refused calls too. Only the newest of each account are kept.
create table push_requests (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- below /api/v1
  path text not null,
  -- of the answer, as HTTP has it
  status integer not null,
  error_code text,
  error_message text,
  -- of a list: how many were sent, and how many of them were refused
  rows integer,
  failed_rows integer,
  created_at timestamptz(3) not null
);
create index push_requests_by_created on push_requests (account_id, created_at, id);
