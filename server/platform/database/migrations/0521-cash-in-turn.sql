-- Moves have the order of their ids, which are made under the lock of their payout. Their times are those at which their
-- transactions began, and one that waited for the lock may have begun before the one that it waited for.
create or replace view cash_told as
select account_id, payout_id, kind, at,
  (row_number() over (partition by account_id, payout_id order by id) - 1)::integer as turn,
  case kind when 'out' then amount else lag(amount) over (partition by account_id, payout_id order by id) end as amount
from (
  select t.*, lag(t.kind, 1, 'back') over (partition by t.account_id, t.payout_id order by t.id) as before
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
    -- before every event: a payout's own id is older
    select o.account_id, o.id, greatest(o.created_at, coalesce(o.sent_at, o.paid_at)), o.id, 'out', null::bigint
    from payouts o
    where o.status in ('sent', 'paid', 'returned') and coalesce(o.sent_at, o.paid_at) is not null and not exists (
      select from events e
      where e.account_id = o.account_id and e.subject_id = o.id and e.audited
        and (e.type = 'payout.imported' or e.data -> 'changes' -> 'status' ->> 'new' in ('sent', 'paid')))
    union all
    -- after every event
    select o.account_id, o.id, o.updated_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'back', null
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
