-- outside a transaction

-- the next sale's number: led by the account, as a new account's statistics don't tell its customers apart
create index concurrently if not exists sales_numbered on sales (account_id, lead_id, sequence)

drop index concurrently if exists sales_by_sequence
