-- outside a transaction

create index concurrently if not exists sales_held_by on sales using gin (held_by) where held_by is not null

-- in batches
update sales s set held_by = n.cases
from (
  select h.account_id, h.id, array(
    select c.id from fraud_cases c
    where c.account_id = h.account_id and c.partner_id = h.partner_id and c.action = 'hold' and c.decided_at is null and (
      c.id = h.fraud_case_id or (
        c.sale_id is null and (c.lead_id is null or c.lead_id = h.lead_id) and c.opened_at <= coalesce((
          select min(t.created_at) from commission_entries t where t.account_id = h.account_id and t.sale_id = h.id), h.created_at)
        and position(case when c.lead_id is null then 'The partner’s case is open.' else 'The lead’s case is open.' end
          in h.hold_reason) > 0))) as cases
  from sales h
  where h.fraud_case_id is not null and h.hold_rule is not null and h.held_until > now() and h.status <> 'void'
    and h.held_by is null
  limit 2000) n
where s.account_id = n.account_id and s.id = n.id
