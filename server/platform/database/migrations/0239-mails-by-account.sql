-- The account that a mail is about; null for mails about a person's own sign-in, and those logged before.
alter table mails add column account_id uuid;
