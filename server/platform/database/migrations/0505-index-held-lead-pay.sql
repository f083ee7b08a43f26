-- outside a transaction

create index concurrently if not exists commission_entries_held_by on commission_entries using gin (held_by) where held_by is not null

create index concurrently if not exists commission_entries_ever_held on commission_entries (account_id, partner_id) where held_by is not null
