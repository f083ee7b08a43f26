-- outside a transaction
create unique index concurrently if not exists payout_attempts_numbered on payout_attempts (account_id, method, payment_number)
  where payment_number is not null;
