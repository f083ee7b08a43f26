-- which forms send leads; null for a code that was last saved before there was a choice: sign-ups
alter table embed_codes add column forms text check (forms in ('sign-ups', 'all', 'marked', 'none'));

-- the forms that the script found on the checked page
alter table embed_checks add column forms jsonb;
