-- outside a transaction

create index concurrently if not exists leads_awaiting_origin on leads (account_id, id)
  where click_id is not null and origin is null and erased_at is null

drop index concurrently if exists leads_without_origin
