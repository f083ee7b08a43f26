-- The last day, in the account's time zone, on which a nightly task was done.
create table account_days (
  account_id uuid not null references accounts,
  task text not null,
  done_on date not null,
  primary key (account_id, task)
);

insert into account_days (account_id, task, done_on)
  select account_id, 'mails-of-the-day', done_on from mail_days
  union all
  select account_id, 'automatic-payouts', last_run_on from payout_accounts where last_run_on is not null;
