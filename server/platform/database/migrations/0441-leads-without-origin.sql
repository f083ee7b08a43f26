-- outside a transaction

create index concurrently if not exists leads_without_origin on leads (account_id, id)
  where click_id is not null and origin is null;
