-- outside a transaction
-- The commissions of an account, newest first.
create index concurrently if not exists commission_entries_of_account on commission_entries (account_id, created_at, id);
