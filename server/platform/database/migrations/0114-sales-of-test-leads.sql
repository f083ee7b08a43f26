-- outside a transaction
-- The sales of test mode that a lead shows, and those that hold its row.
create index concurrently if not exists sales_by_test_lead on sales (test_lead_id, created_at, id) where test_lead_id is not null;

-- The list of them.
create index concurrently if not exists sales_in_test_mode on sales (account_id, created_at, id) where is_test;
