-- When an owner last reminded a partner, by what of: so often and no more.
create table partner_reminders (
  account_id uuid not null references accounts (id),
  partner_id uuid not null,
  kind text not null check (kind in ('payout-settings', 'invitation')),
  reminded_at timestamp(3) with time zone not null,
  primary key (partner_id, kind),
  foreign key (account_id, partner_id) references partners (account_id, id) on delete cascade
);
