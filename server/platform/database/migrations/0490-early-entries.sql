-- Entries that a person's act made due sooner than the payout delay from that act, and until when; null: until someone who
-- may pay approves them.
create table early_entries (
  account_id uuid not null,
  partner_id uuid not null,
  entry_id uuid not null,
  user_id uuid not null,
  until timestamptz(3),
  primary key (account_id, partner_id, entry_id, user_id)
);
create index early_entries_by_until on early_entries (until) where until is not null;
select place_with_account('early_entries');
alter table early_entries
  add foreign key (account_id, partner_id) references partners (account_id, id),
  add foreign key (account_id, entry_id) references commission_entries (account_id, id);

-- The people who created a webhook and changed it last.
alter table incoming_webhooks add column created_by uuid references users, add column changed_by uuid references users;
