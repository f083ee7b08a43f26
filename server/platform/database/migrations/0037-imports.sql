-- What is taken in from files and from what providers remember, as jobs that go on where they were.
create table imports (
  id uuid primary key,
  account_id uuid not null references accounts,
  kind text not null check (kind in ('partners', 'leads', 'sales', 'payouts', 'past-sales')),
  -- of a file: whose it is, such as 'dub', or 'csv'
  format text check (length(format) <= 50),
  -- of what a provider remembers
  connection_id uuid references provider_connections,
  dry_run boolean not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'canceled', 'undoing', 'undone')),
  reason text check (length(reason) <= 1000),
  -- null until it was counted
  total integer check (total >= 0),
  done integer not null default 0 check (done >= 0),
  created integer not null default 0 check (created >= 0),
  skipped integer not null default 0 check (skipped >= 0),
  failed integer not null default 0 check (failed >= 0),
  -- sums by currency: [{currency, count, amount}]
  totals jsonb not null default '[]',
  -- the mapping of a file, or the days of the past
  settings jsonb not null,
  -- the names of the columns, so that the next file of the kind is mapped alike
  header text[],
  -- where it goes on; of what a provider remembers
  progress jsonb,
  created_by text not null,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  check ((kind = 'past-sales') = (connection_id is not null)),
  check ((kind = 'past-sales') = (format is null)),
  check ((state in ('done', 'failed', 'canceled', 'undoing', 'undone')) = (finished_at is not null))
);
create index imports_by_account on imports (account_id, created_at, id);
-- one at a time for each account, and for each connection
create unique index one_import_at_a_time on imports (account_id, coalesce(connection_id, account_id))
  where state in ('waiting', 'running', 'undoing');

-- The file itself, compressed; gone once it has been read.
create table import_files (
  import_id uuid primary key references imports on delete cascade,
  content bytea not null
);

-- What became of each row, for 30 days; `made` is what an undo takes back, `cells` what the file of errors repeats.
create table import_rows (
  import_id uuid not null references imports on delete cascade,
  row integer not null check (row > 0),
  outcome text not null check (outcome in ('created', 'skipped', 'failed')),
  field text check (length(field) <= 100),
  message text check (length(message) <= 1000),
  made jsonb,
  cells text[],
  primary key (import_id, row)
);
