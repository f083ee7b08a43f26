-- outside a transaction
create unique index concurrently if not exists commission_entries_each_of_award on commission_entries (account_id, award_id,
  turn) where award_id is not null;
