-- the known sender whose rules and proof were copied into a webhook; null for any other system
alter table incoming_webhooks add column sender text;
