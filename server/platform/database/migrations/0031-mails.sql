-- Every mail that was due, once, with what became of it. Never a link that opens something; gone after 90 days.
create table mails (
  id uuid primary key,
  -- says which mail it is, however often it is tried
  name text not null unique check (length(name) between 1 and 200),
  kind text not null,
  email text not null,
  -- null of what is an account's own business
  subject text,
  -- of one that was kept for want of a mail server, without the links that open something
  text text,
  state text not null check (state in ('waiting', 'sent', 'kept', 'refused', 'failed', 'skipped')),
  reason text check (length(reason) <= 500),
  tries integer not null default 0 check (tries >= 0),
  last_tried_at timestamptz(3),
  created_at timestamptz(3) not null,
  check (text is null or state = 'kept')
);
create index mails_by_age on mails (created_at, id);
create index mails_by_state on mails (state, created_at, id);

-- the key was anyone's to fill until it came to mean which emails a user gets
update users set preferences = preferences - 'mail' where preferences ? 'mail';
