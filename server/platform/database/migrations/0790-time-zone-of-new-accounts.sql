alter table accounts alter column time_zone set default 'UTC';
