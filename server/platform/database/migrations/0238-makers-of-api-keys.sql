-- The person who made a key, or rotated it last. Null for keys of earlier releases.
alter table api_keys add column created_by uuid references users;
