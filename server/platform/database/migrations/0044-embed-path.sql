-- The name an account gives the address of its script, which stands beside the one by its public id.
alter table embed_codes add column path text unique check (path ~ '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$');
