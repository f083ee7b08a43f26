-- outside a transaction

create index concurrently if not exists incoming_deliveries_others on incoming_deliveries (account_id, webhook_id)
  where others_id is not null
