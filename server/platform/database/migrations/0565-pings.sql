-- when a sender last tested the address of an incoming webhook, which delivers nothing
alter table incoming_webhooks add column last_ping_at timestamptz(3);
