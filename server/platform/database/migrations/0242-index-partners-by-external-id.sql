-- outside a transaction

create unique index concurrently if not exists partners_by_external_id on partners (account_id, external_id)
  where external_id is not null;
