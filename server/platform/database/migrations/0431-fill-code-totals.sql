update promotion_codes set used_code = upper(code);

insert into code_totals as t (account_id, code, sales, revenue, last_used_at)
select s.account_id, used.code, count(*), sum(coalesce(s.account_amount, 0) - coalesce(r.lost, 0)),
  max(case when s.created_at < s.sale_date + interval '2 days' then s.created_at
    else (s.sale_date + interval '12 hours') at time zone 'UTC' end)
from sales s
  cross join lateral unnest(s.promotion_codes) as used (code)
  left join (
    select account_id, sale_id, sum(account_amount - restored_amount) as lost from refunds group by 1, 2
  ) r on r.account_id = s.account_id and r.sale_id = s.id
where s.status <> 'void' and s.lead_id is not null
group by 1, 2
on conflict (account_id, code) do update set sales = excluded.sales, revenue = excluded.revenue,
  last_used_at = excluded.last_used_at;
