-- Owners' texts for partners in further languages, as an object by language. Questions contain their own.
alter table programs
  add column translations jsonb not null default '{}' check (jsonb_typeof(translations) = 'object');
alter table groups
  add column translations jsonb not null default '{}' check (jsonb_typeof(translations) = 'object');
