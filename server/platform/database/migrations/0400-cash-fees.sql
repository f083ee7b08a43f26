-- What the provider took from the account besides when the money left, as told by then. Past days of the journal stay as
-- they are.
alter table payout_cash add column fee bigint not null default 0 check (fee >= 0 and (fee = 0 or kind = 'out'));
