-- The bytes of payloads that an incoming webhook keeps, beside them: the webhook itself is written on every machine of a
-- cluster, a delivery only on that of its account. `incoming_webhooks.payload_bytes` is no longer used.
create table incoming_payloads (
  webhook_id uuid not null references incoming_webhooks on delete cascade,
  account_id uuid not null references accounts,
  bytes bigint not null,
  primary key (webhook_id, account_id)
);
select place_with_account('incoming_payloads');
insert into incoming_payloads (webhook_id, account_id, bytes)
select id, account_id, payload_bytes from incoming_webhooks where payload_bytes is not null;
