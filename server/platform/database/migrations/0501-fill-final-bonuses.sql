-- outside a transaction

create index concurrently if not exists goal_awards_judged on goal_awards (account_id, partner_id) where not final and not voided

drop index concurrently if exists goal_awards_by_due

-- in batches
update goal_awards w set final = true
from (select account_id, id from goal_awards where not final and due_at <= now() limit 2000) n
where w.account_id = n.account_id and w.id = n.id
