-- outside a transaction
-- Events that could not be booked, by the sale they are about: shown where the sale is.
create index concurrently if not exists provider_events_open_of_sale on provider_events (account_id, sale_id) where sale_id is not null and state in ('failed', 'waiting');
