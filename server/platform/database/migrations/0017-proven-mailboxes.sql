-- Names belong to the invitation until it is accepted: what one account calls somebody is nothing to another.
alter table invitations add column first_name text;
alter table invitations add column last_name text;
update invitations i set first_name = u.first_name, last_name = u.last_name
from users u where u.id = i.user_id and i.kind = 'owner' and i.status <> 'accepted';

-- Whether the owner may be shown the link of this sending; decided when it is sent.
alter table invitations add column shareable boolean not null default false;
update invitations i set shareable = true
from users u
where u.id = i.user_id and u.password_hash is null and i.sent_at is null and i.status not in ('accepted', 'revoked')
  and not exists (select from invitations o where o.user_id = i.user_id and o.account_id <> i.account_id);

-- When the person showed that the mailbox is theirs: by a link that only the mailbox, or an administrator, was given.
alter table users add column verified_at timestamptz(3);
update users u set verified_at = u.updated_at
where u.password_hash is not null and (
  exists (select from user_roles r where r.user_id = u.id and r.type = 'admin')
  or exists (select from invitations i where i.user_id = u.id and i.status = 'accepted' and (i.kind = 'owner' or i.sent_at is not null))
  or exists (select from audit a where a.action = 'password.reset' and a.subject_id = u.id));
update users set first_name = null, last_name = null where password_hash is null;

-- Beside the link to a new password stands one that signs in once.
alter table password_resets add column sign_in_hash bytea unique;
alter table password_resets add column signed_in_at timestamptz(3);

-- How many mails an account caused to an address on a day. The key is derived, so that the table tells no e-mail.
create table mail_counts (
  key text primary key,
  names text[] not null,
  forget_at timestamptz(3) not null
);
create index mail_counts_by_age on mail_counts (forget_at);

-- From where it was done, shortened to a network, and in which call.
alter table audit add column network text;
alter table audit add column request_id text;

-- Anybody can cause these, so they stand apart from the audit log and are forgotten after 90 days.
create table refused_sign_ins (
  id uuid primary key,
  at timestamptz(3) not null,
  -- what was tried: to sign in, or to prove the password of a session
  kind text not null check (kind in ('sign-in', 'password')),
  user_id uuid references users (id) on delete cascade,
  network text,
  request_id text
);
create index refused_sign_ins_by_age on refused_sign_ins (at);
