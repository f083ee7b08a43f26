-- outside a transaction
-- each backup lists the erased ones
create index concurrently if not exists users_erased on users (erased_at, id) where erased_at is not null;
