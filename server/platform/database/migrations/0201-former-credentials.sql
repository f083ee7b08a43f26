-- A key and a signing secret were once sealed in columns of their own; credentials_sealed has both.
alter table provider_connections drop column key_sealed, drop column webhook_secret_sealed;
