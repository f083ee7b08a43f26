-- The bytes of payloads that an incoming webhook keeps: whoever knows its address could fill the database. Null while they
-- have not been counted.
alter table incoming_webhooks add column payload_bytes bigint;
