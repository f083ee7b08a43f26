-- A payout method keeps what it needs in tables of its own; the shared ones say which method it is and what stands
-- against it. The columns are dropped at once, without the release between that a running install would need: there is
-- no release yet that reads them.

-- An account's tie to Wise. The token is sealed under the name of its former column.
create table wise_accounts (
  account_id uuid primary key references payout_accounts (account_id),
  token_sealed bytea,
  token_hint text,
  profile jsonb,
  -- those the token was last seen to see
  profiles jsonb not null default '[]',
  subscription_id text,
  updated_at timestamptz(3) not null
);
insert into wise_accounts
select account_id, wise_token_sealed, wise_token_hint, wise_profile, wise_profiles, wise_subscription_id, updated_at
from payout_accounts
where wise_token_sealed is not null or wise_profile is not null or wise_subscription_id is not null;

-- A partner's details as a recipient of a Wise profile. Wise never changes one: changed details are another.
create table wise_recipients (
  partner_id uuid primary key references payout_settings (partner_id) on delete cascade,
  details_version uuid not null,
  profile_id text not null,
  recipient_id text not null
);
insert into wise_recipients
select partner_id, version, wise_recipient_profile_id, wise_recipient_id from payout_settings
where wise_recipient_id is not null and wise_recipient_profile_id is not null;

alter table payout_settings drop column wise_recipient_id, drop column wise_recipient_profile_id;

alter table payout_accounts rename column wise_error to trouble;
alter table payout_accounts rename column wise_error_kind to trouble_kind;
alter table payout_accounts
  -- how the account's payouts leave
  add column method text not null default 'manual' check (method in ('wise', 'manual', 'csv')),
  -- the method whose calls are not taken; automatic payouts pause meanwhile
  add column trouble_with text;
update payout_accounts set method = 'wise' where wise_token_sealed is not null and wise_profile is not null;
update payout_accounts set trouble_with = 'wise' where trouble is not null;
alter table payout_accounts
  drop column wise_token_sealed,
  drop column wise_token_hint,
  drop column wise_profile,
  drop column wise_profiles,
  drop column wise_subscription_id;

-- What an attempt is paid from: an account or profile in the method's words.
alter table payout_attempts rename column wise_profile_id to paid_from;
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
    or (old.transfer_id is not null and new.transfer_id is distinct from old.transfer_id) then
    raise exception 'attempt % keeps what it is to pay', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- What the state of an attempt means for its payout, whatever words its method has for it: nothing was asked for yet,
-- money may move, or surely nothing of it moves any more.
alter table payout_attempts add column stage text check (stage in ('prepared', 'open', 'over'));
update payout_attempts set stage = case
  when state in ('created', 'quoted', 'recipient-known') then 'prepared'
  when state in ('rejected', 'abandoned', 'cancelled', 'funds_refunded', 'charged_back') then 'over'
  else 'open' end;
alter table payout_attempts alter column stage set not null;

drop index payout_attempts_one_live;
create unique index payout_attempts_one_live on payout_attempts (payout_id) where stage <> 'over';
alter function check_nothing_at_wise() rename to check_nothing_under_way;
create or replace function check_nothing_under_way() returns trigger language plpgsql as $$
begin
  if exists (select from payout_attempts where payout_id = new.id and stage <> 'over') then
    raise exception 'payout % may still have a transfer', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
