-- outside a transaction

create unique index concurrently if not exists one_document_of_a_kind_per_revision
  on invoices (account_id, payout_id, turn, revision, kind)

drop index concurrently if exists one_document_per_cash_line
