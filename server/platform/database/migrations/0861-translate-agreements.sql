-- A version of the agreement has one text in each language, each published once.
alter table agreement_versions
  add column language text not null default 'en' check (length(language) between 2 and 35);
create table agreement_translations (
  account_id uuid not null,
  version int not null,
  language text not null check (length(language) between 2 and 35),
  text text not null check (length(text) between 1 and 50000),
  -- in hexadecimal; not a secret, so it is exported
  text_sha256 text not null check (text_sha256 ~ '^[0-9a-f]{64}$'),
  changes text check (length(changes) between 1 and 500),
  published_at timestamptz(3) not null,
  published_by uuid,
  primary key (account_id, version, language)
);
select place_with_account('agreement_translations');
alter table agreement_translations add foreign key (account_id, version) references agreement_versions;
create trigger append_only before delete or update on agreement_translations
  for each row execute function refuse_change();
create trigger append_only_table before truncate on agreement_translations
  for each statement execute function refuse_change();

-- The language of the text that was shown, and accepted or ticked.
alter table agreement_acceptances
  add column language text not null default 'en' check (length(language) between 2 and 35);
alter table applications
  add column agreement_language text check (length(agreement_language) between 2 and 35);
