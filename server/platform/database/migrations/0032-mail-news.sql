-- What there is to mail and to whom, each once: it is gathered until a mail takes it. Ids and days, no names and no addresses.
create table mail_news (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- null: for the account's owner
  partner_id uuid,
  kind text not null,
  -- the lead, commission entry, payout or the like that it is about
  subject_id uuid not null,
  -- which of its occasions: the event, or the day or month that calls for it
  occasion text not null,
  created_at timestamptz(3) not null,
  mail_id uuid,
  mailed_at timestamptz(3),
  foreign key (account_id, partner_id) references partners (account_id, id) on delete cascade,
  check (num_nonnulls(mail_id, mailed_at) in (0, 2)),
  unique nulls not distinct (account_id, partner_id, kind, subject_id, occasion)
);
create index mail_news_waiting on mail_news (account_id, partner_id, kind) where mail_id is null;
create index mail_news_mailed on mail_news (account_id, partner_id, kind, mailed_at) where mail_id is not null;
create index mail_news_of_mail on mail_news (mail_id) where mail_id is not null;
create index mail_news_by_age on mail_news (created_at);

-- The last day, in the account's time zone, for which it was looked what there is to remind of and to sum up.
create table mail_days (
  account_id uuid primary key references accounts (id),
  done_on date not null
);
