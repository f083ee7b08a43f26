-- The cover picture of an account's program page, one as the logo is.
alter table files drop constraint files_purpose_check;
alter table files add constraint files_purpose_check check (purpose in ('logo', 'cover', 'asset'));
create unique index files_one_cover on files (account_id) where purpose = 'cover';
