-- From which networks deliveries are taken; empty: from anywhere.
alter table incoming_webhooks add column allowed_ips text[] not null default '{}';
