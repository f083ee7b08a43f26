-- Announcements and edited emails in further languages: an object of texts by language. An announcement is sent once, so
-- it keeps the language of its own text.
alter table announcements
  add column language text not null default 'en' check (length(language) between 2 and 35),
  add column translations jsonb not null default '{}' check (jsonb_typeof(translations) = 'object');
alter table email_templates
  add column translations jsonb not null default '{}' check (jsonb_typeof(translations) = 'object');
