-- outside a transaction
create unique index concurrently if not exists commission_entries_each_of_lead on commission_entries (account_id, lead_id,
  paid_for, turn, partner_id, layer) where lead_id is not null;

create index concurrently if not exists commission_entries_by_won_sale on commission_entries (won_sale_id)
  where won_sale_id is not null;

-- in batches
update leads l set
  first_qualified_at = least(t.qualified_at, t.won_at, case when l.status in ('qualified', 'won') then l.updated_at end),
  first_won_at = least(t.won_at, case when l.status = 'won' then l.updated_at end)
from (
  select n.account_id, n.id,
    min(e.at) filter (where e.data -> 'changes' -> 'status' ->> 'new' = 'qualified') as qualified_at,
    min(e.at) filter (where e.data -> 'changes' -> 'status' ->> 'new' = 'won') as won_at
  from (
    select account_id, id from leads o
    where first_qualified_at is null and status <> 'duplicate' and (status in ('qualified', 'won') or exists (
      select from events e
      where e.account_id = o.account_id and e.subject_id = o.id and e.subject_type = 'lead'
        and e.data -> 'changes' -> 'status' ->> 'new' in ('qualified', 'won')))
    limit 2000) n
    left join events e on e.account_id = n.account_id and e.subject_id = n.id and e.subject_type = 'lead'
  group by 1, 2) t
where l.account_id = t.account_id and l.id = t.id;
