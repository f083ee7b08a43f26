-- Attempts by other methods than Wise: values needed to repeat the call, the amount the payee got, and the account's
-- payment number, which a provider without idempotency keys pays only once. Wise's ids stay in columns of their own.
alter table payout_attempts
  add column memo jsonb,
  add column payee_amount bigint,
  add column payee_currency text,
  add column payment_number integer;

create or replace function keep_intent() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.method is null or new.details_version is null or new.amount is null or new.currency is null or new.year is null then
      raise exception 'attempt % does not say what it is to pay', new.id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if (new.payout_id, new.number, new.customer_transaction_id, new.paid_from, new.method, new.details_version, new.amount,
      new.currency, new.year, new.at)
    is distinct from (old.payout_id, old.number, old.customer_transaction_id, old.paid_from, old.method,
      old.details_version, old.amount, old.currency, old.year, old.at)
    or (old.payment_number is not null and new.payment_number is distinct from old.payment_number)
    or (old.transfer_id is not null and new.transfer_id is distinct from old.transfer_id) then
    raise exception 'attempt % keeps what it is to pay', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- The provider's account that these credentials open, and the time of the next call that may move money: providers
-- limit their rate.
alter table method_secrets add column paid_from text, add column next_call_at timestamptz(3);

-- Payments found at a provider but missing here. Rows without a method are Wise's, from the release before.
alter table transfers_read add column method text, add column payment_number integer;
alter table transfers_read drop constraint transfers_read_standing_check;
alter table transfers_read add constraint transfers_read_standing_check check (
  standing in ('unfunded', 'moving', 'sent', 'arrived', 'bounced', 'back', 'over', 'refused', 'short', 'other'));
