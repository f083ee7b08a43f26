-- The owner chose that partners are told of this version; a mail of the next morning does.
alter table terms_log add column tell_partners boolean not null default false;
create index terms_log_told on terms_log (account_id, saved_at) where tell_partners;
