-- Payments in a file begin their subscription’s recurring limit from now on. What was credited before keeps its
-- commission: those sales have no limit anymore.
update sales s set recurring_months = null
where s.recurring_months is not null and not s.past_limit and s.subscription_id is not null and exists (
  select from sales o
  where o.account_id = s.account_id and o.subscription_id = s.subscription_id and o.lead_id = s.lead_id
    and o.credit is not null and o.credited and o.status <> 'void' and o.account_amount > 0
    and 'import' in (
      coalesce(s.told_by_shop_id::text, s.shop_id::text, s.provider),
      coalesce(o.told_by_shop_id::text, o.shop_id::text, o.provider))
    and s.sale_date > o.sale_date + make_interval(months => s.recurring_months));
