-- What the payee got, as the provider told it: minor units of that currency. Null for attempts of releases before.
alter table payout_attempts
  add column if not exists payee_amount bigint,
  add column if not exists payee_currency text;
