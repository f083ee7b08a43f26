-- outside a transaction

create index concurrently if not exists sales_of_cases on sales (account_id, fraud_case_id) where fraud_case_id is not null

create index concurrently if not exists sales_by_uncredited_customer on sales (account_id, customer_id) where partner_id is null and customer_id is not null

create index concurrently if not exists payout_settings_by_details on payout_settings (account_id, details_hash) where details_hash is not null

-- in batches
insert into fraud_cases (id, account_id, sale_id, partner_id, findings, action, opened_at, held_until)
select s.id, s.account_id, s.id, s.partner_id,
  jsonb_build_array(jsonb_build_object('rule', s.hold_rule, 'evidence', s.hold_reason, 'partnerId', null)),
  s.hold_policy, s.created_at, s.held_until
from sales s
where s.hold_rule is not null and s.partner_id is not null and s.status <> 'void' and s.fraud_case_id is null
  and (s.hold_policy = 'flag' or (s.hold_policy = 'hold' and s.held_until > now()))
  and not exists (select from fraud_cases c where c.account_id = s.account_id and c.sale_id = s.id)
limit 2000

-- in batches
update sales s set fraud_case_id = c.id
from fraud_cases c
where c.account_id = s.account_id and c.sale_id = s.id and s.fraud_case_id is null
  and s.hold_rule is not null
