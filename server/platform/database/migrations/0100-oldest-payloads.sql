-- outside a transaction
-- in batches
update incoming_webhooks w set payload_bytes = (
  select coalesce(sum(octet_length(d.payload)), 0) from incoming_deliveries d where d.webhook_id = w.id)
where w.id in (select id from incoming_webhooks where payload_bytes is null limit 5);

-- The oldest payloads go first.
create index concurrently if not exists incoming_deliveries_with_payload on incoming_deliveries (webhook_id, created_at, id) where payload is not null;
