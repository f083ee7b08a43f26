-- outside a transaction
create index concurrently if not exists promotion_codes_by_account on promotion_codes (account_id, created_at, id)
