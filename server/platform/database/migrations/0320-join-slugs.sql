-- The last part of the address of a group's own program page; null: it has no page.
alter table groups add column join_slug text check (join_slug ~ '^[a-z0-9-]{3,40}$');
create unique index groups_by_join_slug on groups (account_id, join_slug) where deleted_at is null;
