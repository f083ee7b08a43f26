-- What an owner writes for partners, in further languages: an object of texts by language. Questions have theirs within.
alter table programs
  add column translations jsonb not null default '{}' check (jsonb_typeof(translations) = 'object');
alter table groups
  add column translations jsonb not null default '{}' check (jsonb_typeof(translations) = 'object');
