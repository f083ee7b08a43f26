-- A database that was put back from an older copy has forgotten what was paid since. What was paid is read back, and
-- nothing is paid before both agree (docs/decisions/0014-a-stale-restore.md).
create table payout_reconciliations (
  account_id uuid primary key references payout_accounts (account_id),
  -- the life of the database (database/life.ts) in which what was paid last agreed with what stands here
  agreed_in text,
  -- payouts wait since then for an owner who has looked at the transfers
  paused_at timestamptz(3),
  -- the database is an older copy, not only the account new to its transfers: other systems are told nothing either
  whole_install boolean not null default false,
  -- which reading the rows below come from, and when it was complete
  reading_id uuid,
  read_at timestamptz(3),
  -- why it does not go on
  problem text,
  updated_at timestamptz(3) not null
);
create index payout_reconciliations_paused on payout_reconciliations (account_id) where paused_at is not null;

-- The transfers of an account as they were read back.
create table transfers_read (
  account_id uuid not null references payout_reconciliations (account_id),
  transfer_id text not null,
  reading_id uuid not null,
  paid_from text not null,
  transaction_id text,
  reference text,
  recipient_id text,
  quote_id text,
  -- in minor units of the account's currency; null where that was not told
  amount bigint,
  state text not null,
  standing text not null check (standing in ('unfunded', 'moving', 'sent', 'bounced', 'over', 'other')),
  made_at timestamptz(3),
  -- what the owner said of one that nothing here knows
  decision text check (decision in ('recorded', 'dismissed')),
  primary key (account_id, transfer_id)
);

-- A payout that lets its entries go may be bound to others in the same transaction: what counts is where it stands at
-- its end.
create or replace function check_nothing_under_way() returns trigger language plpgsql as $$
begin
  if exists (select from payouts where id = new.id and status in ('gathering', 'canceled'))
    and exists (select from payout_attempts where payout_id = new.id and stage <> 'over') then
    raise exception 'payout % may still have a transfer', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
