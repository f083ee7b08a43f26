-- what the bank found when it compared the payee's name with the account's; the worst, if it reported several times
alter table payment_file_payouts
  add column name_check text check (name_check in ('not-checked', 'close-match', 'no-match')),
  add column name_checked_at timestamptz;
