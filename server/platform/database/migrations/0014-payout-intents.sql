-- What an attempt is to pay, to whom and from where, as it was approved. Set once: whatever differs is another attempt.
alter table payout_attempts
  add column method text,
  add column details_version uuid,
  add column amount bigint check (amount > 0),
  add column currency text,
  -- the calendar year of payment, in the account's time zone
  add column year integer,
  -- when Wise was first asked for the transfer
  add column announced_at timestamptz(3);

-- Attempts from before that asked for no transfer are over: nothing tells which approval they were made for.
update payout_attempts set state = 'abandoned' where state in ('created', 'quoted', 'recipient-known');
-- Of the others, those made after the present approval are its own. What stays empty fits no approval.
update payout_attempts t
set method = 'wise', details_version = o.details_version, amount = o.amount, currency = o.currency,
  year = extract(year from t.at at time zone a.time_zone)
from payouts o join accounts a on a.id = o.account_id
where o.id = t.payout_id and o.amount is not null and t.at >= o.approved_at;
update payout_attempts set announced_at = updated_at where state <> 'abandoned';

create function keep_intent() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.method is null or new.details_version is null or new.amount is null or new.currency is null or new.year is null then
      raise exception 'attempt % does not say what it is to pay', new.id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if (new.payout_id, new.number, new.customer_transaction_id, new.wise_profile_id, new.method, new.details_version, new.amount,
      new.currency, new.year, new.at)
    is distinct from (old.payout_id, old.number, old.customer_transaction_id, old.wise_profile_id, old.method,
      old.details_version, old.amount, old.currency, old.year, old.at)
    or (old.transfer_id is not null and new.transfer_id is distinct from old.transfer_id) then
    raise exception 'attempt % keeps what it is to pay', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keeps_its_intent before insert or update on payout_attempts for each row execute function keep_intent();
create trigger attempts_stay before delete on payout_attempts for each row execute function refuse_change();

-- One attempt of a payout at a time: another begins only where the former surely has no transfer that moves.
create unique index payout_attempts_one_live on payout_attempts (payout_id)
  where state not in ('rejected', 'abandoned', 'cancelled', 'funds_refunded', 'charged_back');

-- What lets its entries go has nothing at Wise any more.
create function check_nothing_at_wise() returns trigger language plpgsql as $$
begin
  if exists (
    select from payout_attempts where payout_id = new.id
      and state not in ('rejected', 'abandoned', 'cancelled', 'funds_refunded', 'charged_back')) then
    raise exception 'payout % may still have a transfer', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger freed_without_transfer after update of status on payouts
  deferrable initially deferred for each row when (new.status in ('gathering', 'canceled')) execute function check_nothing_at_wise();

-- Every move of a payout, in the order in which they came.
create table payout_events (
  id bigint generated always as identity primary key,
  payout_id uuid not null references payouts (id),
  at timestamptz(3) not null,
  from_status text not null,
  to_status text not null,
  -- `user:{id}` or `system`
  actor text not null,
  reason text
);
create index payout_events_by_payout on payout_events (payout_id, id);
create trigger append_only before update or delete on payout_events for each row execute function refuse_change();
create trigger append_only_table before truncate on payout_events for each statement execute function refuse_change();

-- A transfer that Wise does not show is looked for ever more rarely.
alter table payouts
  add column looks_refused integer not null default 0,
  add column look_after timestamptz(3);

-- Archived with the balance voided, for this reason: what comes back from a payout afterwards is voided too.
alter table partners add column void_reason text;

-- Entries whose day has come while their sale was on hold: told of when the hold ends.
create table untold_entries (
  entry_id uuid primary key,
  account_id uuid not null,
  foreign key (account_id, entry_id) references commission_entries (account_id, id)
);
create index untold_entries_by_account on untold_entries (account_id);
insert into untold_entries (entry_id, account_id)
select e.id, e.account_id
from commission_entries e join sales s on s.id = e.sale_id join payout_accounts pa on pa.account_id = e.account_id
where greatest(e.available_at, e.created_at) <= pa.due_told_until and not e.clawback
  and (s.disputed or (s.hold_rule is not null and s.held_until > pa.due_told_until));
