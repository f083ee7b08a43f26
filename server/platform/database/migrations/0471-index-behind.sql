-- outside a transaction

create index concurrently if not exists day_stats_behind on day_stats (account_id) where behind

create index concurrently if not exists sales_without_case on sales (account_id, id)
  where hold_rule is not null and hold_policy <> 'refuse' and fraud_case_id is null

create index concurrently if not exists fraud_cases_undecided on fraud_cases (account_id, sale_id)
  where decided_at is null and sale_id is not null
