-- The day on which the money of a payout left, in the time zone that its account had then. Its year is the tax year, and
-- stays so: a payout counts as paid days after its money left, and the account's time zone may change. Set by the database,
-- so that what the release before writes has it too.
alter table payouts add column paid_on date;
create function keep_paid_on() returns trigger language plpgsql as $$
begin
  if new.status in ('sent', 'paid') and new.paid_on is null then
    new.paid_on := (coalesce(new.sent_at, new.paid_at) at time zone (select time_zone from accounts where id = new.account_id))::date;
  end if;
  return new;
end $$;
create trigger payout_keeps_paid_on before insert or update of status, paid_on on payouts
  for each row execute function keep_paid_on();
