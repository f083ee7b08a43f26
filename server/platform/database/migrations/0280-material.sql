-- Pictures: an account's logo, and those of its assets. Their type is that of their bytes.
create table files (
  id uuid not null,
  account_id uuid not null,
  purpose text not null check (purpose in ('logo', 'asset')),
  -- its address, which stays when the picture is replaced
  key text not null check (key ~ '^[A-Za-z0-9_-]{22}$'),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  width integer not null check (width between 1 and 4096),
  height integer not null check (height between 1 and 4096),
  bytes bytea not null check (length(bytes) between 1 and 1000000),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (id, account_id)
);
-- pictures are compressed already
alter table files alter column bytes set storage external;
create unique index files_by_key on files (account_id, key);
create unique index files_one_logo on files (account_id) where purpose = 'logo';
select place_with_account('files');
alter table files add foreign key (account_id) references accounts;

-- The account that has the picture of an address.
create table file_keys (
  key text primary key check (key ~ '^[A-Za-z0-9_-]{22}$'),
  account_id uuid not null references accounts,
  created_at timestamptz(3) not null
);
create index file_keys_of_account on file_keys (account_id);

-- Material that partners copy, with their link in it.
create table assets (
  id uuid not null,
  account_id uuid not null,
  kind text not null check (kind in ('image', 'text', 'html')),
  name text not null check (length(name) between 1 and 60),
  body text check (length(body) between 1 and 5000),
  alt text check (length(alt) <= 200),
  file_id uuid,
  -- null: the oldest enabled template
  blueprint_id uuid,
  -- null: for all partners
  group_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (id, account_id),
  check ((kind = 'image') = (file_id is not null)),
  check ((kind = 'image') = (body is null)),
  check (kind = 'image' or alt is null)
);
create index assets_by_time on assets (account_id, created_at, id);
create unique index assets_of_file on assets (account_id, file_id) where file_id is not null;
select place_with_account('assets');
alter table assets add foreign key (account_id) references accounts;
alter table assets add foreign key (file_id, account_id) references files (id, account_id);
alter table assets add foreign key (account_id, blueprint_id) references link_blueprints (account_id, id);
alter table assets add foreign key (account_id, group_id) references groups (account_id, id);

alter table accounts add column accent text check (accent ~ '^#[0-9a-f]{6}$');
