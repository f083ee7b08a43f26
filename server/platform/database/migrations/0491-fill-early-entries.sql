-- outside a transaction

-- what waits for a person today goes on waiting for one
-- in batches
insert into early_entries (account_id, partner_id, entry_id, user_id)
select h.account_id, h.partner_id, h.id, substr(h.actor, 6)::uuid
from commission_entries h
where h.sale_id is not null and h.amount > 0 and h.actor like 'user:%' and h.available_at <= h.created_at
  and h.day < (h.created_at at time zone 'UTC')::date - 1
  and not exists (select from early_entries y
    where y.account_id = h.account_id and y.partner_id = h.partner_id and y.entry_id = h.id)
limit 2000
on conflict do nothing
