-- The referrer's commission on the month's sales, reversals included, for caps per month. Minor units of the account's
-- currency.
alter table month_stats add column earned bigint not null default 0;

insert into month_stats as m (account_id, month, partner_id, earned)
select s.account_id, date_trunc('month', s.sale_date::timestamp)::date, s.partner_id, sum(e.amount)
from sales s
  join commission_entries e on e.account_id = s.account_id and e.sale_id = s.id and e.partner_id = s.partner_id
where e.layer = 0 and s.given_commission is null
group by 1, 2, 3 having sum(e.amount) <> 0
on conflict (account_id, month, partner_id) do update set earned = excluded.earned;
