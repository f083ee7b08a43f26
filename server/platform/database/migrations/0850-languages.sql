-- The language in which an account writes, the further ones of its program page, and the languages of partners and
-- applicants: of their mails while their profile says none.
alter table accounts
  add column language text not null default 'en' check (length(language) between 2 and 35),
  add column page_languages text[] not null default '{}' check (cardinality(page_languages) <= 20);
alter table partners add column language text check (length(language) between 2 and 35);
alter table applications add column language text check (length(language) between 2 and 35);
