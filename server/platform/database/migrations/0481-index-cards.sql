-- outside a transaction

create index concurrently if not exists sales_by_card on sales (account_id, card_hash, lower(payer_email)) where card_hash is not null
