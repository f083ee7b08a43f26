-- the body of its deliveries: the whole event as JSON, or a message for people as that service takes it
alter table outgoing_webhooks add column format text not null default 'json'
  check (format in ('json', 'slack', 'teams', 'discord'));
