-- Messages of an account to many of its partners.
create table announcements (
  id uuid not null,
  account_id uuid not null,
  subject text check (length(subject) between 1 and 100),
  body text check (length(body) between 1 and 5000),
  -- null: by a user of another install
  sent_by uuid,
  -- the account's day: a day has a limit
  sent_on date not null,
  created_at timestamptz(3) not null,
  -- of a deleted one only the row stays, since it counts among those of its day
  deleted_at timestamptz(3),
  primary key (id, account_id),
  check ((deleted_at is null) = (subject is not null)),
  check ((deleted_at is null) = (body is not null))
);
create index announcements_by_time on announcements (account_id, created_at, id);
select place_with_account('announcements');
alter table announcements add foreign key (account_id) references accounts;

-- The partners of an announcement: what became of its mail, and whether they closed the note.
create table announcement_readers (
  account_id uuid not null,
  announcement_id uuid not null,
  partner_id uuid not null,
  -- left: deleted, disabled or no longer active before it was mailed, or without a login
  mail text not null default 'waiting' check (mail in ('waiting', 'mailed', 'turned-off', 'failed', 'left')),
  read_at timestamptz(3),
  primary key (account_id, announcement_id, partner_id)
);
create index announcement_readers_by_partner on announcement_readers (account_id, partner_id, announcement_id);
select place_with_account('announcement_readers');
alter table announcement_readers add foreign key (announcement_id, account_id) references announcements (id, account_id);
alter table announcement_readers add foreign key (account_id, partner_id) references partners (account_id, id);
