-- has no key: Citus moves a table while it is written only if its rows can be told apart
alter table former_emails replica identity full;
