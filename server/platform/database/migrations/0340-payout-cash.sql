-- One row each time the money of a payout leaves, or is back for good: what was owed on a past day follows from these
-- and the entries alone.
create table payout_cash (
  account_id uuid not null,
  payout_id uuid not null,
  partner_id uuid not null,
  -- even when it leaves, odd when it is back: a payout never leaves twice without being back between
  turn integer not null check (turn >= 0),
  kind text not null check (kind in ('out', 'back')),
  amount bigint not null check (amount > 0),
  -- beside the amount, and never part of what is owed
  tax_amount bigint not null default 0 check (tax_amount >= 0),
  -- when it was recorded
  at timestamptz(3) not null,
  primary key (account_id, payout_id, turn),
  check ((kind = 'out') = (turn % 2 = 0))
);
create index payout_cash_by_time on payout_cash (account_id, at);
create trigger append_only before delete or update on payout_cash for each row execute function refuse_change();
create trigger append_only_table before truncate on payout_cash for each statement execute function refuse_change();
select place_with_account('payout_cash');
alter table payout_cash add foreign key (account_id) references accounts;
alter table payout_cash add foreign key (account_id, payout_id) references payouts (account_id, id);
alter table payout_cash add foreign key (account_id, partner_id) references partners (account_id, id);

-- The rows that the activity tells of: they fill the table, and `verify-ledger` compares both. A move that nothing tells
-- of counts at the moment kept on the payout.
create view cash_told as
select account_id, payout_id, kind, at,
  (row_number() over (partition by account_id, payout_id order by at, id) - 1)::integer as turn,
  case kind when 'out' then amount else lag(amount) over (partition by account_id, payout_id order by at, id) end as amount
from (
  select t.*, lag(t.kind, 1, 'back') over (partition by t.account_id, t.payout_id order by t.at, t.id) as before
  from (
    select e.account_id, e.subject_id as payout_id, e.at, e.id,
      case when e.type = 'payout.imported' or e.data -> 'changes' -> 'status' ->> 'new' in ('sent', 'paid') then 'out'
        else 'back' end as kind,
      (select (o.data -> 'object' ->> 'amount')::bigint from told_events o
        where o.account_id = e.account_id and o.id = e.id) as amount
    from events e
    where e.audited and e.subject_type = 'payout' and (e.type in ('payout.imported', 'payout.entries-released')
      or e.data -> 'changes' -> 'status' ->> 'new' in ('sent', 'paid', 'due', 'canceled'))
    union all
    select o.account_id, o.id, greatest(o.created_at, coalesce(o.sent_at, o.paid_at)), o.id, 'out', null::bigint
    from payouts o
    where o.status in ('sent', 'paid', 'returned') and coalesce(o.sent_at, o.paid_at) is not null and not exists (
      select from events e
      where e.account_id = o.account_id and e.subject_id = o.id and e.audited
        and (e.type = 'payout.imported' or e.data -> 'changes' -> 'status' ->> 'new' in ('sent', 'paid')))
    union all
    select o.account_id, o.id, o.updated_at, o.id, 'back', null
    from payouts o
    where o.status = 'returned'
      and not exists (
        select from payout_entries b where b.account_id = o.account_id and b.payout_id = o.id and b.live)
      and not exists (
        select from events e
        where e.account_id = o.account_id and e.subject_id = o.id and e.audited and e.type = 'payout.entries-released')
  ) t
) t
where kind <> before;

-- Servers of the release before move payouts without a row: it is written when they commit, as the activity tells it.
-- Goes with the next release.
create function keep_cash() returns trigger language plpgsql as $$
declare
  the_payout uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
  its_status text;
  last_kind text;
begin
  select status into its_status from payouts where account_id = new.account_id and id = the_payout;
  select kind into last_kind from payout_cash
  where account_id = new.account_id and payout_id = the_payout order by turn desc limit 1;
  if (its_status in ('sent', 'paid') and last_kind = 'out')
    or (its_status in ('returned', 'gathering', 'canceled') and last_kind = 'back')
    or (tg_argv[0] = 'payout_id' and its_status <> 'returned') then
    return null;
  end if;
  insert into payout_cash (account_id, payout_id, partner_id, turn, kind, amount, at)
  select o.account_id, o.id, o.partner_id, t.turn, t.kind, coalesce(t.amount, o.amount), t.at
  from cash_told t join payouts o on o.account_id = t.account_id and o.id = t.payout_id
  where t.account_id = new.account_id and t.payout_id = the_payout
  on conflict do nothing;
  return null;
end $$;

-- In a cluster, a trigger writes no other table: there, payouts that such servers move meanwhile are found by
-- `verify-ledger`.
do $$
begin
  if exists (select from pg_extension where extname = 'citus') then return; end if;
  create constraint trigger leaves_as_told after insert or update of status on payouts deferrable initially deferred
    for each row when (new.status in ('sent', 'paid', 'gathering', 'canceled')) execute function keep_cash('id');
  create constraint trigger is_back_as_told after update on payout_entries deferrable initially deferred
    for each row when (old.live and not new.live) execute function keep_cash('payout_id');
end $$;
