-- outside a transaction
create index concurrently if not exists lead_submissions_of_account on lead_submissions (account_id, created_at);

-- leads that the account's retention may erase, if nothing has happened since
create index concurrently if not exists leads_without_sale on leads (account_id, created_at, id)
  where erased_at is null and first_won_at is null;
