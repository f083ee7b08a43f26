-- The days on which payouts are sent. The release before pays every day, which is the default.
alter table accounts add column paydays jsonb not null default '{"every": "day"}';
alter table accounts add constraint accounts_paydays_check check (paydays::text ~
  '^\{("every": "day"|"every": "week", "weekday": [1-7]|"days": \[([1-9]|[12][0-9]|3[01])(, ([1-9]|[12][0-9]|3[01]))?\], "every": "month")\}$');
