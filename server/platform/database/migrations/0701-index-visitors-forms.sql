-- outside a transaction

create unique index concurrently if not exists lead_submissions_of_client on lead_submissions (account_id, client_id)
  where client_id is not null

create index concurrently if not exists lead_submissions_joining on lead_submissions (account_id, joins_client_id)
  where joins_client_id is not null
