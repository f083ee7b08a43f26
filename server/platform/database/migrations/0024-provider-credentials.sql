-- All credentials of a connection are one sealed text, an object by the names of the provider's fields. What was sealed
-- in its own columns can only be opened by the server, which carries it over when it starts; the emptied columns are
-- dropped by a later release.
alter table provider_connections
  add column credentials_sealed bytea,
  -- whether the credentials hold what events are checked with
  add column webhook_secret_set boolean not null default false,
  -- the address as the provider was given it, which some providers sign
  add column webhook_url text,
  -- none: events come to the one address of the provider's application
  alter column hook_key drop not null,
  add check (disconnected_at is null or credentials_sealed is null);
create index provider_connections_by_application on provider_connections (provider, provider_account_id)
  where hook_key is null and disconnected_at is null;
