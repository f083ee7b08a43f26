-- An account as strangers see it: a public page with a form. Accounts without a row have none.
create table programs (
  account_id uuid primary key,
  state text not null default 'off' check (state in ('off', 'open', 'closed')),
  slug text,
  headline text check (length(headline) between 1 and 120),
  text text not null default '' check (length(text) <= 5000),
  rules text not null default '' check (length(rules) <= 5000),
  questions jsonb not null default '[]',
  auto_approve boolean not null default false,
  -- null: never again
  reapply_after_days integer check (reapply_after_days in (0, 30, 90)),
  indexed boolean not null default true,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (state = 'off' or slug is not null)
);
select place_with_account('programs');
alter table programs add foreign key (account_id) references accounts;

-- Every address that a program ever had: a former one leads to the present one, and is nobody else's.
create table program_slugs (
  slug text primary key check (slug ~ '^[a-z0-9-]{3,40}$'),
  account_id uuid not null references accounts,
  created_at timestamptz(3) not null
);
create index program_slugs_of_account on program_slugs (account_id);

-- Wishes to become a partner.
create table applications (
  id uuid not null,
  account_id uuid not null,
  status text not null check (status in ('unconfirmed', 'waiting', 'approved', 'rejected')),
  first_name text check (length(first_name) <= 100),
  last_name text check (length(last_name) <= 100),
  email text check (length(email) <= 254),
  answers jsonb not null default '[]',
  flags text[] not null default '{}',
  -- of the network that it came from on that day
  network_hash bytea,
  -- of the e-mail, once that is gone, while its person may not apply again
  email_hash bytea,
  parent_partner_id uuid,
  parent_problem text check (parent_problem in ('suspended', 'archived', 'too-many-layers')),
  group_id uuid,
  reason text,
  message text check (length(message) <= 1000),
  -- when its e-mail was judged, and perhaps mailed
  answered_at timestamptz(3),
  confirmed_at timestamptz(3),
  decided_at timestamptz(3),
  decided_by uuid,
  partner_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (id, account_id),
  check ((status = 'approved') = (partner_id is not null)),
  check ((status in ('approved', 'rejected')) = (decided_at is not null)),
  check ((status = 'rejected') = (reason is not null))
);
create index applications_by_time on applications (account_id, created_at, id);
create index applications_by_email on applications (account_id, email);
create unique index applications_waiting_once on applications (account_id, email) where status = 'waiting';
create unique index applications_of_partner on applications (account_id, partner_id) where partner_id is not null;
select place_with_account('applications');
alter table applications add foreign key (account_id) references accounts;
alter table applications add foreign key (account_id, partner_id) references partners (account_id, id);
alter table applications add foreign key (account_id, parent_partner_id) references partners (account_id, id);
alter table applications add foreign key (account_id, group_id) references groups (account_id, id);
