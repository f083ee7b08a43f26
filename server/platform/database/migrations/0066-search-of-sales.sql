-- Sales by a part of their number, payer's e-mail or description: a search read all sales of the account.
create index sales_search on sales using gin (account_id, lower(coalesce(external_id || ' ', '') || coalesce(payer_email || ' ', '') || coalesce(description, '')) gin_trgm_ops)
  -- taken in by some hundreds of sales, so that no group of them waits for thousands
  with (gin_pending_list_limit = 256);
