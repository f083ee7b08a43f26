-- A refund counts on the day it takes anything back. It was kept only where revenue moved; where rounding left revenue as
-- it was, the commission it took or gave back tells the day.
update refunds r set counted_on = e.day
from (
  select refund_id, min(day) as day from commission_entries where kind = 'reversal' and refund_id is not null group by 1
) e
where e.refund_id = r.id and r.counted_on is null;

update refunds r set restored_on = e.day
from (
  select refund_id, min(day) as day from commission_entries where kind = 'restoration' and refund_id is not null group by 1
) e
where e.refund_id = r.id and r.restored_on is null;

-- The lines that statistics add up, newest first: of sales there is sales_by_date.
create index refunds_by_counted_day on refunds (account_id, counted_on, id) where counted_on is not null;
create index refunds_by_restored_day on refunds (account_id, restored_on, id) where restored_on is not null;

create index sales_on_hold on sales (account_id, sale_date, id) where disputed or hold_rule is not null;

create index leads_by_blueprint on leads (account_id, blueprint_id, created_at, id) where blueprint_id is not null;
