-- outside a transaction

create index concurrently if not exists commission_entries_due_when_booked on commission_entries (account_id, partner_id)
  where sale_id is not null and amount > 0 and actor like 'user:%' and available_at <= created_at
    and day < (created_at at time zone 'UTC')::date - 1
